// Assembles the page: the heart of core/chat.js, and the parts of ui/ that show it.

import { Chat } from "./core/chat.js";
import { App } from "./ui/app.js";

const scheme = location.protocol === "https:" ? "wss:" : "ws:";
const url = new URL("ws", `${scheme}//${location.host}${location.pathname}`).href;
new App(new Chat({ url })).start();
