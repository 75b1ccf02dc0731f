import type { CommandTable } from './command.ts';
import { ARCHIVE_COMMANDS } from './toybox/archives.ts';
import { FILE_COMMANDS } from './toybox/files.ts';
import { LIST_COMMANDS } from './toybox/list.ts';
import { FILTER_COMMANDS } from './toybox/filters.ts';
import { DIGEST_COMMANDS } from './toybox/digests.ts';
import { SED_COMMANDS } from './toybox/sed.ts';
import { RUN_COMMANDS } from './toybox/run.ts';
import { MISC_COMMANDS } from './toybox/misc.ts';

/** The commands that need nothing but files and streams: the device's toybox. */
export const TOYBOX: CommandTable = new Map([
  ...FILE_COMMANDS,
  ...LIST_COMMANDS,
  ...FILTER_COMMANDS,
  ...DIGEST_COMMANDS,
  ...SED_COMMANDS,
  ...ARCHIVE_COMMANDS,
  ...RUN_COMMANDS,
  ...MISC_COMMANDS,
]);
