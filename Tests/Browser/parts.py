"""Where things are on the page: every selector and attribute that the tests know, and no more."""

# The first page.
SIGN_IN_NAME = "#sign-in-name"
SIGN_IN_PASSWORD = "#sign-in-password"
SIGN_IN_GO = "#sign-in-go"
SIGN_IN_ERROR = "#sign-in-error"
SIGN_IN_PLAIN = "#sign-in-plain"
WAY_ACCOUNT = "#way-account"
WAY_GUEST = "#way-guest"
WAY_REGISTER = "#way-register"

# The connection, in a word for programs and in words for people.
STATE = "#state"
STATE_ATTRIBUTE = "data-state"

# The left column.
PLACES = "#places"
PLACE = '#places li[data-key="{key}"] a'
PLACE_HERE = "#places li a[aria-current]"
ADD = "#add"
UNREAD = ".badge"
SETTINGS = "#settings-open"

# The room.
TITLE = "#room-title"
TOPIC = "#room-topic"
SCROLLER = "#log-scroll"
MESSAGES = "#messages"
MESSAGE = "#messages article.message"
AUTHOR = ".author"
BODY = ".body"
QUOTE = ".quote"
EDITED = ".edited"
DELETED = "deleted"
ACTION = '#actions [data-action="{name}"]'
TO_NEWEST = "#to-newest"
DAY_SIGN = "#day-sign"
DAY_SIGN_SHOWN = "#day-sign.shown"
NEW_LINE = "#messages .new"
TYPING = "#typing"
COMPOSER = "#composer-text"
SEND = "#send"

# The right column.
SIDE = "#side"
SIDE_CLOSE = "#side-close"
SEARCH = "#search-open"
PEOPLE = "#people-open"
PEOPLE_COUNT = "#people-count"

PERSON = "#side-body button.person"
QUERY = "#side-body input[type=search]"
FINDING = "#side-body button.finding"

# What comes and goes.
NOTICES = "#notices"
DIALOG = "dialog[open]"
DIALOG_GO = "dialog[open] .main"
FOUND_ROOM = "dialog[open] .found-rooms li:not(.new-room) bdi"
TROUBLE = "#messages .trouble"
MENU = "[role=menu]"
MENU_ENTRY = "[role=menuitem]"

# Words of the page in English, where nothing else tells one thing from another.
JOIN = "Join"
CLOSE = "Close"
FIND_ROOM = "Find or create a room"
NOTIFY_ON = "Turn on notifications"
NOTIFY_OFF = "Turn off"
PUT_OUT = "Put out of the room"
NOT_IN_ROOM = "You are not in this room."
DELETED_WORDS = "This message was deleted."

#: The messages that can be seen, scrolled away or not; and of one of them, what a person sees.
READ_MESSAGE = f"""
const allMessages = () =>
  [...document.querySelectorAll('{MESSAGE}')].filter(article => article.checkVisibility());
const readMessage = article => {{
  const part = selector => article.querySelector(selector);
  return {{
    seq: Number(article.dataset.seq) || null,
    from: part('{AUTHOR}').textContent,
    text: part('{BODY}').innerText.trim(),
    isOwn: article.classList.contains('own'),
    delivery: ['waiting', 'sending', 'failed'].find(d => article.classList.contains(d)) || null,
    isEdited: Boolean(part('{EDITED}')),
    isDeleted: part('{BODY}').classList.contains('{DELETED}'),
    quote: part('{QUOTE}')?.innerText.trim() ?? null,
  }};
}};
"""
