/** Prints the closing line `N passed, N failed[, N skipped]` that continuous integration reads. */
export default class PlainLineReporter {
  onTestRunEnd(modules, unhandledErrors = []) {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state === 'passed' || state === 'failed' ? state : 'skipped'] += 1;
      }
      // A file that cannot even be loaded has no tests, yet must not look green.
      if (module.state() === 'failed' && count.failed === 0) count.failed += 1;
    }
    count.failed += unhandledErrors.length;
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
    console.log(`${count.passed} passed, ${count.failed} failed${skipped}`);
  }
}
