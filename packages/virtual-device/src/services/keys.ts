/** Names of key codes in their order from 0 (AOSP android.view.KeyEvent), up to the last that has no gap before it. */
const FROM_ZERO =
  'UNKNOWN SOFT_LEFT SOFT_RIGHT HOME BACK CALL ENDCALL 0 1 2 3 4 5 6 7 8 9 STAR POUND DPAD_UP DPAD_DOWN DPAD_LEFT DPAD_RIGHT DPAD_CENTER VOLUME_UP VOLUME_DOWN POWER CAMERA CLEAR A B C D E F G H I J K L M N O P Q R S T U V W X Y Z COMMA PERIOD ALT_LEFT ALT_RIGHT SHIFT_LEFT SHIFT_RIGHT TAB SPACE SYM EXPLORER ENVELOPE ENTER DEL GRAVE MINUS EQUALS LEFT_BRACKET RIGHT_BRACKET BACKSLASH SEMICOLON APOSTROPHE SLASH AT NUM HEADSETHOOK FOCUS PLUS MENU NOTIFICATION SEARCH MEDIA_PLAY_PAUSE MEDIA_STOP MEDIA_NEXT MEDIA_PREVIOUS MEDIA_REWIND MEDIA_FAST_FORWARD MUTE PAGE_UP PAGE_DOWN PICTSYMBOLS SWITCH_CHARSET BUTTON_A BUTTON_B BUTTON_C BUTTON_X BUTTON_Y BUTTON_Z BUTTON_L1 BUTTON_R1 BUTTON_L2 BUTTON_R2 BUTTON_THUMBL BUTTON_THUMBR BUTTON_START BUTTON_SELECT BUTTON_MODE ESCAPE FORWARD_DEL CTRL_LEFT CTRL_RIGHT CAPS_LOCK SCROLL_LOCK META_LEFT META_RIGHT FUNCTION SYSRQ BREAK MOVE_HOME MOVE_END INSERT FORWARD MEDIA_PLAY MEDIA_PAUSE MEDIA_CLOSE MEDIA_EJECT MEDIA_RECORD F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 NUM_LOCK'.split(
    ' ',
  );

const LATER: readonly (readonly [string, number])[] = [
  ['NUMPAD_ENTER', 160],
  ['VOLUME_MUTE', 164],
  ['APP_SWITCH', 187],
  ['ASSIST', 219],
  ['BRIGHTNESS_DOWN', 220],
  ['BRIGHTNESS_UP', 221],
  ['SLEEP', 223],
  ['WAKEUP', 224],
  ['SOFT_SLEEP', 276],
  ['CUT', 277],
  ['COPY', 278],
  ['PASTE', 279],
  ['ALL_APPS', 284],
];

const CODES: ReadonlyMap<string, number> = new Map([
  ...FROM_ZERO.map((name, code): [string, number] => [name, code]),
  ...LATER,
]);

export const KEY_HOME = 3;
export const KEY_POWER = 26;
export const KEY_DPAD_CENTER = 23;

/** Bits of `KeyEvent`'s meta state that a held key sets. */
export const META_BITS: ReadonlyMap<number, number> = new Map([
  [57, 0x12],
  [58, 0x22],
  [59, 0x41],
  [60, 0x81],
  [113, 0x3000],
  [114, 0x5000],
  [117, 0x3_0000],
  [118, 0x5_0000],
]);
export const KEY_ENTER = 66;
export const KEY_BACK = 4;
export const KEY_MENU = 82;
export const KEY_SLEEP = 223;
export const KEY_WAKEUP = 224;

/** `KEYCODE_ENTER`, `ENTER` or `66`; `null` when it is none. */
export function keyCode(text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text);
  return CODES.get(text.replace(/^KEYCODE_/, '')) ?? null;
}
