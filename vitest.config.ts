import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    // Tests start JVMs and devices on a two-core machine: files run two at a time at most.
    maxWorkers: 2,
    // Far beyond what a test takes: only what hangs may end by a clock, on a busy machine too.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ['default', './scripts/plain-line-reporter.mjs'],
  },
});
