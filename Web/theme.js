// Sets the theme before anything is drawn, so that a dark page never flashes white.
(function () {
  var dark = matchMedia("(prefers-color-scheme: dark)");
  function set() {
    var theme = null;
    try {
      theme = localStorage.getItem("beck.theme");
    } catch (error) { /* storage may be shut: then the system's theme it is */ }
    document.documentElement.dataset.theme = theme || (dark.matches ? "dark" : "light");
  }
  set();
  dark.addEventListener("change", set);
  addEventListener("theme", set);
})();
