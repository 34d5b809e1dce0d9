// Says times in the reader's language: of the day, of the week, in full. Time is passed in.

let timesLanguage = "en";
let made = {};

/** From now on times are said in this language. */
export function speakTimes(code) {
  timesLanguage = code === "zh" ? "zh-CN" : undefined;
  made = {};
}

function say(kind, date, shape) {
  made[kind] ??= new Intl.DateTimeFormat(timesLanguage, shape);
  return made[kind].format(date);
}

/** Of the day: 14:05. */
export const clock = (date) => say("clock", date, { hour: "numeric", minute: "2-digit" });

/** In full, for who wants to know exactly. */
export const inFull = (date) => say("full", date, { dateStyle: "full", timeStyle: "medium" });

/** When something ends: 14:05, on another day with its date. */
export const endTime = (date, now) => (dayKey(date) === dayKey(now) ? clock(date)
  : say("end", date, { dateStyle: "medium", timeStyle: "short" }));

/** A day that two times share, as text to compare. */
export const dayKey = (date) => `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;

/** A day in words, `today` and `yesterday` by the given ones. */
export function day(date, now, { today, yesterday }) {
  if (dayKey(date) === dayKey(now)) return today;
  const before = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (dayKey(date) === dayKey(before)) return yesterday;
  const isThisYear = date.getFullYear() === now.getFullYear();
  return say(isThisYear ? "day" : "date", date, {
    weekday: "long", day: "numeric", month: "long", year: isThisYear ? undefined : "numeric",
  });
}

/** Short, for a list of findings: the time today, else the day. */
export function brief(date, now) {
  if (dayKey(date) === dayKey(now)) return clock(date);
  const isThisYear = date.getFullYear() === now.getFullYear();
  return say(isThisYear ? "brief" : "briefDate", date, {
    day: "numeric", month: "short", year: isThisYear ? undefined : "numeric",
  });
}
