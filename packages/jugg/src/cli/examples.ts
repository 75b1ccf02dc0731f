/** Examples shown by `jugg help <command>`; a test runs their options through the parser. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  deploy: [
    'jugg deploy',
    'jugg deploy --serial emulator-5554 --wait-app-ready-after-success',
    `jugg deploy --serials '["A","B"]'`,
  ],
  compile: ['jugg compile', 'jugg compile --module app --json'],
  'layout-dump': ['jugg layout-dump --format text', 'jugg layout-dump --root-layout content'],
  'view-locate': [
    'jugg view-locate --target-text Login',
    'jugg view-locate --target-resource-id title --visible-only false',
  ],
  tap: [
    'jugg tap --target-resource-id login',
    'jugg tap --x 540 --y 960 --action long-press',
    'jugg tap --action swipe --x-percent 50 --y-percent 80 --end-x-percent 50 --end-y-percent 20',
  ],
  'wait-for': [
    'jugg wait-for --target-text Done --timeout-ms 20000',
    'jugg wait-for --activity .DetailActivity',
  ],
  'wait-logs': [
    'jugg wait-logs',
    'jugg wait-logs --marker READY',
    `jugg wait-logs --tags '["OkHttp"]' --marker '200 OK' --literal`,
  ],
  screenshot: ['jugg screenshot --max-size 1000', 'jugg screenshot --target-resource-id card'],
  restart: ['jugg restart', 'jugg restart --launch-activity .SettingsActivity'],
  devices: ['jugg devices', 'jugg devices --serial emulator-5554 --select'],
  'get-compile-status': ['jugg get-compile-status --wait-timeout-ms 20000'],
};
