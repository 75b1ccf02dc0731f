import type { CommandTable } from './command.ts';
import { ARCHIVE_COMMANDS } from './toybox/archives.ts';
import { FILE_COMMANDS } from './toybox/files.ts';
import { LIST_COMMANDS } from './toybox/list.ts';
import { BYTE_COMMANDS } from './toybox/bytes.ts';
import { DATE_COMMANDS } from './toybox/date.ts';
import { DIFF_COMMANDS } from './toybox/diff.ts';
import { EXPR_COMMANDS } from './toybox/expr.ts';
import { FILTER_COMMANDS } from './toybox/filters.ts';
import { FIND_COMMANDS } from './toybox/find.ts';
import { GREP_COMMANDS } from './toybox/grep.ts';
import { SORT_COMMANDS } from './toybox/sort.ts';
import { TEXT_COMMANDS } from './toybox/text.ts';
import { DIGEST_COMMANDS } from './toybox/digests.ts';
import { SED_COMMANDS } from './toybox/sed.ts';
import { RUN_COMMANDS } from './toybox/run.ts';
import { MISC_COMMANDS } from './toybox/misc.ts';

/** The commands that need nothing but files and streams: the device's toybox. */
export const TOYBOX: CommandTable = new Map([
  ...FILE_COMMANDS,
  ...LIST_COMMANDS,
  ...FILTER_COMMANDS,
  ...GREP_COMMANDS,
  ...FIND_COMMANDS,
  ...SORT_COMMANDS,
  ...TEXT_COMMANDS,
  ...BYTE_COMMANDS,
  ...EXPR_COMMANDS,
  ...DIFF_COMMANDS,
  ...DATE_COMMANDS,
  ...DIGEST_COMMANDS,
  ...SED_COMMANDS,
  ...ARCHIVE_COMMANDS,
  ...RUN_COMMANDS,
  ...MISC_COMMANDS,
]);
