/** Fraction digits to milliseconds: logcat prints 3, 6 (usec) or 9 (nsec) of them and cuts, it does not round. */
function fractionMs(digits: string): number {
  return Number(digits.slice(0, 3).padEnd(3, '0'));
}

/**
 * Milliseconds since the epoch, or `null` where the text does not say: no year, no zone, or a monotonic clock.
 * A year without a zone would need the device's zone, which may change while the log runs.
 */
export function logTimeMs(time: string, zone: string | null): number | null {
  const seconds = /^(\d+)\.(\d+)$/.exec(time);
  if (seconds) {
    const whole = Number(seconds[1]);
    // A device cannot have been up for 30 years: what is larger is the epoch, what is smaller the monotonic clock.
    return whole < 1_000_000_000 ? null : whole * 1000 + fractionMs(seconds[2] ?? '');
  }
  const date = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\.(\d+)$/.exec(time);
  if (!date || zone === null) return null;
  const parsed = Date.parse(`${date[1]}T${date[2]}${zone.slice(0, 3)}:${zone.slice(3)}`);
  return Number.isNaN(parsed) ? null : parsed + fractionMs(date[3] ?? '');
}
