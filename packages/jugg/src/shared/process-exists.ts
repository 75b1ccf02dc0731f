/** Whether a process of this id runs now; one of another user counts. Ids are used again: this tells nothing about who it is. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
