/** The first revision without `initialize`; revisions compare as text. */
export const FIRST_STATELESS = '2026-07-28';

/**
 * MCP revisions that are served, newest first (contract §5). The first is the stateless era; the others negotiate with
 * `initialize`.
 */
export const PROTOCOL_VERSIONS: readonly string[] = [
  FIRST_STATELESS,
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
];
