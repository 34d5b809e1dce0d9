// Written by scripts/web-files.
static const unsigned char file_0[] = {
#embed "../../Web/app.js"
};
static const unsigned char file_1[] = {
#embed "../../Web/core/arrivals.js"
};
static const unsigned char file_2[] = {
#embed "../../Web/core/calls.js"
};
static const unsigned char file_3[] = {
#embed "../../Web/core/chat.js"
};
static const unsigned char file_4[] = {
#embed "../../Web/core/errors.js"
};
static const unsigned char file_5[] = {
#embed "../../Web/core/items.js"
};
static const unsigned char file_6[] = {
#embed "../../Web/core/keeping.js"
};
static const unsigned char file_7[] = {
#embed "../../Web/core/link.js"
};
static const unsigned char file_8[] = {
#embed "../../Web/core/membership.js"
};
static const unsigned char file_9[] = {
#embed "../../Web/core/outbox.js"
};
static const unsigned char file_10[] = {
#embed "../../Web/core/pages.js"
};
static const unsigned char file_11[] = {
#embed "../../Web/core/places.js"
};
static const unsigned char file_12[] = {
#embed "../../Web/core/session.js"
};
static const unsigned char file_13[] = {
#embed "../../Web/core/signals.js"
};
static const unsigned char file_14[] = {
#embed "../../Web/core/timeline.js"
};
static const unsigned char file_15[] = {
#embed "../../Web/core/unread.js"
};
static const unsigned char file_16[] = {
#embed "../../Web/icon.svg"
};
static const unsigned char file_17[] = {
#embed "../../Web/index.html"
};
static const unsigned char file_18[] = {
#embed "../../Web/style.css"
};
static const unsigned char file_19[] = {
#embed "../../Web/theme.js"
};
static const unsigned char file_20[] = {
#embed "../../Web/ui/actions.js"
};
static const unsigned char file_21[] = {
#embed "../../Web/ui/app.js"
};
static const unsigned char file_22[] = {
#embed "../../Web/ui/choices.js"
};
static const unsigned char file_23[] = {
#embed "../../Web/ui/composer.js"
};
static const unsigned char file_24[] = {
#embed "../../Web/ui/day-sign.js"
};
static const unsigned char file_25[] = {
#embed "../../Web/ui/dialog.js"
};
static const unsigned char file_26[] = {
#embed "../../Web/ui/dom.js"
};
static const unsigned char file_27[] = {
#embed "../../Web/ui/keys.js"
};
static const unsigned char file_28[] = {
#embed "../../Web/ui/log.js"
};
static const unsigned char file_29[] = {
#embed "../../Web/ui/markup.js"
};
static const unsigned char file_30[] = {
#embed "../../Web/ui/menu.js"
};
static const unsigned char file_31[] = {
#embed "../../Web/ui/messages.css"
};
static const unsigned char file_32[] = {
#embed "../../Web/ui/notify.js"
};
static const unsigned char file_33[] = {
#embed "../../Web/ui/panels.css"
};
static const unsigned char file_34[] = {
#embed "../../Web/ui/people.js"
};
static const unsigned char file_35[] = {
#embed "../../Web/ui/places.js"
};
static const unsigned char file_36[] = {
#embed "../../Web/ui/room-head.js"
};
static const unsigned char file_37[] = {
#embed "../../Web/ui/rooms.js"
};
static const unsigned char file_38[] = {
#embed "../../Web/ui/row.js"
};
static const unsigned char file_39[] = {
#embed "../../Web/ui/search.js"
};
static const unsigned char file_40[] = {
#embed "../../Web/ui/settings.js"
};
static const unsigned char file_41[] = {
#embed "../../Web/ui/side.js"
};
static const unsigned char file_42[] = {
#embed "../../Web/ui/sign-in.js"
};
static const unsigned char file_43[] = {
#embed "../../Web/ui/state-line.js"
};
static const unsigned char file_44[] = {
#embed "../../Web/ui/text.js"
};
static const unsigned char file_45[] = {
#embed "../../Web/ui/times.js"
};
static const unsigned char file_46[] = {
#embed "../../Web/ui/words-en.js"
};
static const unsigned char file_47[] = {
#embed "../../Web/ui/words-zh.js"
};
static const unsigned char file_48[] = {
#embed "../../Web/ui/words.js"
};
// Asked for as "/protocol.json".
static const unsigned char protocol[] = {
#embed "../../docs/wire/json-protocol.json"
};
static const struct web_page_file files[] = {
  {"/app.js", file_0, sizeof file_0},
  {"/core/arrivals.js", file_1, sizeof file_1},
  {"/core/calls.js", file_2, sizeof file_2},
  {"/core/chat.js", file_3, sizeof file_3},
  {"/core/errors.js", file_4, sizeof file_4},
  {"/core/items.js", file_5, sizeof file_5},
  {"/core/keeping.js", file_6, sizeof file_6},
  {"/core/link.js", file_7, sizeof file_7},
  {"/core/membership.js", file_8, sizeof file_8},
  {"/core/outbox.js", file_9, sizeof file_9},
  {"/core/pages.js", file_10, sizeof file_10},
  {"/core/places.js", file_11, sizeof file_11},
  {"/core/session.js", file_12, sizeof file_12},
  {"/core/signals.js", file_13, sizeof file_13},
  {"/core/timeline.js", file_14, sizeof file_14},
  {"/core/unread.js", file_15, sizeof file_15},
  {"/icon.svg", file_16, sizeof file_16},
  {"/", file_17, sizeof file_17},
  {"/style.css", file_18, sizeof file_18},
  {"/theme.js", file_19, sizeof file_19},
  {"/ui/actions.js", file_20, sizeof file_20},
  {"/ui/app.js", file_21, sizeof file_21},
  {"/ui/choices.js", file_22, sizeof file_22},
  {"/ui/composer.js", file_23, sizeof file_23},
  {"/ui/day-sign.js", file_24, sizeof file_24},
  {"/ui/dialog.js", file_25, sizeof file_25},
  {"/ui/dom.js", file_26, sizeof file_26},
  {"/ui/keys.js", file_27, sizeof file_27},
  {"/ui/log.js", file_28, sizeof file_28},
  {"/ui/markup.js", file_29, sizeof file_29},
  {"/ui/menu.js", file_30, sizeof file_30},
  {"/ui/messages.css", file_31, sizeof file_31},
  {"/ui/notify.js", file_32, sizeof file_32},
  {"/ui/panels.css", file_33, sizeof file_33},
  {"/ui/people.js", file_34, sizeof file_34},
  {"/ui/places.js", file_35, sizeof file_35},
  {"/ui/room-head.js", file_36, sizeof file_36},
  {"/ui/rooms.js", file_37, sizeof file_37},
  {"/ui/row.js", file_38, sizeof file_38},
  {"/ui/search.js", file_39, sizeof file_39},
  {"/ui/settings.js", file_40, sizeof file_40},
  {"/ui/side.js", file_41, sizeof file_41},
  {"/ui/sign-in.js", file_42, sizeof file_42},
  {"/ui/state-line.js", file_43, sizeof file_43},
  {"/ui/text.js", file_44, sizeof file_44},
  {"/ui/times.js", file_45, sizeof file_45},
  {"/ui/words-en.js", file_46, sizeof file_46},
  {"/ui/words-zh.js", file_47, sizeof file_47},
  {"/ui/words.js", file_48, sizeof file_48},
  {"/protocol.json", protocol, sizeof protocol},
};
