// The first page: a name, and for those who have an account its password.

import { byId } from "./dom.js";
import { explain, t } from "./words.js";

/** Whether this page came so that a password can be sent: over TLS, or from this machine. */
export function mayHavePassword(place = location) {
  return place.protocol === "https:"
    || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(place.hostname);
}

/** The form. `app` gives chat; `onIn` is called when somebody is in. */
export class SignIn {
  #app; #way = "guest"; #isBusy = false;

  constructor(app) {
    this.#app = app;
    this.name = byId("sign-in-name");
    this.password = byId("sign-in-password");
    this.button = byId("sign-in-go");
    for (const way of ["account", "register", "guest"]) {
      byId(`way-${way}`).addEventListener("click", () => {
        this.#way = way;
        this.render();
        (this.name.value && way !== "guest" ? this.password : this.name).focus();
      });
    }
    byId("sign-in-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  /** Shows the form; `error` is why one has to sign in again, or null. */
  show(error, name = "") {
    if (name) this.name.value = name;
    this.#say(error ? explain(error) : "");
    this.render();
    this.name.focus();
  }

  /** Everything again, in the present language. */
  render() {
    const way = this.#way, may = mayHavePassword();
    const words = { guest: [t.signInWhy, t.enter], account: [t.accountWhy, t.signIn],
      register: [t.registerWhy, t.register] }[way];
    byId("sign-in-why").textContent = words[0];
    this.button.textContent = this.#isBusy ? t.entering : words[1];
    byId("sign-in-secret").hidden = way === "guest";
    byId("sign-in-hint").hidden = way !== "register";
    byId("sign-in-owner").hidden = way !== "register";
    this.password.autocomplete = way === "register" ? "new-password" : "current-password";
    byId("way-account").hidden = way === "account" || !may;
    byId("way-register").hidden = way === "register" || !may;
    byId("way-guest").hidden = way === "guest";
    byId("sign-in-plain").hidden = may;
  }

  async #submit() {
    if (this.#isBusy) return;
    const name = this.name.value.trim(), password = this.password.value;
    if (!name) return this.#complain(t.nameMissing, this.name);
    if (this.#way !== "guest" && password.length < 8) {
      return this.#complain(t.passwordMissing, this.password);
    }
    this.#busy(true);
    this.#say("");
    try {
      const { chat } = this.#app;
      const code = byId("sign-in-code").value.trim() || undefined;
      if (this.#way === "register") await chat.register({ name, password, code });
      else await chat.signIn(this.#way === "guest" ? { name } : { name, password });
      this.password.value = "";
      // Who comes back by this form has an account by then.
      if (this.#way === "register") this.#way = "account";
    } catch (error) {
      this.#complain(error.code === "name-taken" ? t.nameTaken : explain(error),
        error.code === "bad-password" ? this.password : this.name);
    } finally {
      this.#busy(false);
    }
  }

  #busy(on) {
    this.#isBusy = on;
    this.button.setAttribute("aria-disabled", String(on));
    this.render();
  }

  #complain(text, field) {
    this.#say(text);
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", "sign-in-error");
    field.focus();
  }

  #say(text) {
    const line = byId("sign-in-error");
    line.textContent = text;
    line.hidden = !text;
    for (const field of [this.name, this.password]) {
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
    }
  }
}
