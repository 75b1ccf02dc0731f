/** The version of this build: that of `packages/jugg/package.json` (a test compares them). */
export const VERSION = '0.1.0';
