/** Makes a thing at its first use; all users share it. A failure is not kept: the next use tries again. */
export function once<T>(make: () => Promise<T>): {
  get: () => Promise<T>;
  made: () => Promise<T | undefined>;
} {
  let made: Promise<T> | undefined;
  return {
    get: () => {
      made ??= make().catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      return made;
    },
    made: async () => made?.catch(() => undefined),
  };
}
