/**
 * The error codes a client can see (contract §1): one table, from which the exit codes of the CLI, the hints and the
 * generated error reference come.
 *
 * `exit` is the process exit code of the CLI: 1 other, 2 usage, 3 build, 4 device, 5 deploy, 6 tests, 7 timeout,
 * 70 bug in Jugg, 130 interrupted. `hint` is the next step when the call site has nothing more exact to say.
 */
export const ERROR_TABLE = {
  INVALID_PARAMS: { exit: 2, hint: 'Correct the named argument and call again.' },
  INVALID_REGEX: { exit: 2, hint: 'Correct the regular expression, or pass literal: true.' },
  PROJECT_NOT_INITIALIZED: { exit: 2, hint: 'Run `jugg init` in the project folder.' },
  PROJECT_BUSY: {
    exit: 1,
    hint: 'Another server is writing to this project; try again when it has finished.',
  },
  NO_DEVICE: { exit: 4, hint: 'Connect a device, or start a virtual one with `jugg vd start`.' },
  MULTIPLE_DEVICE: { exit: 4, hint: 'Pass `serial` with one of the candidates.' },
  DEVICE_UNAUTHORIZED: { exit: 4, hint: 'Unlock the device and allow USB debugging for this computer.' },
  DEVICE_OFFLINE: { exit: 4, hint: 'Reconnect the device.' },
  DEVICE_NO_PERMISSIONS: { exit: 4, hint: 'Install the udev rules for this device, then reconnect it.' },
  DEVICE_GONE: { exit: 4, hint: 'The device went away during the call; reconnect it and call again.' },
  DEVICE_CRASHED: { exit: 4, hint: 'Restart the device.' },
  DEVICE_NOT_INTERACTIVE: { exit: 4, hint: 'Wake and unlock the device.' },
  APP_NOT_INSTALLED: { exit: 1, hint: 'Call `deploy` first.' },
  APP_NOT_RUNNING: { exit: 1, hint: 'Call `restart` or `deploy`.' },
  APP_NOT_FOREGROUND: { exit: 1, hint: 'Bring the app to the front with `restart`.' },
  APP_CRASHED: { exit: 1, hint: 'Read the stack in `data.crash`, mend it and call `deploy`.' },
  APP_EXITED: { exit: 1, hint: 'Call `restart`, then look at the logs.' },
  NOT_DEBUGGABLE: { exit: 5, hint: 'Use a debuggable build.' },
  NO_BASELINE: { exit: 3, hint: 'Call `compile` or `deploy` to make a full build.' },
  FALLBACK_NEEDED: {
    exit: 3,
    hint: 'Build it with Gradle or Android Studio: this version of Jugg does not run Gradle.',
  },
  COMPILE_ERROR: { exit: 3, hint: 'Mend the errors in `data.diagnostics` and call again.' },
  RESOURCE_ERROR: { exit: 3, hint: 'Mend the errors in `data.diagnostics` and call again.' },
  GRADLE_FAILED: { exit: 3, hint: 'Read `data.detail` and the log.' },
  GRADLE_LOCKED: { exit: 3, hint: 'Another Gradle build holds the lock; wait for it to end.' },
  CANCELED: { exit: 130, hint: 'Call again when you want the result.' },
  SERVER_STOPPED: { exit: 1, hint: 'The server stopped before the job ended; call again.' },
  TIMEOUT: { exit: 7, hint: 'Wait longer, or look at what the app shows now.' },
  INSTALL_FAILED: { exit: 5, hint: 'Read the reason; `clean-reinstall` removes the old app first.' },
  UNINSTALL_FAILED: { exit: 5, hint: 'Uninstall the app by hand on the device.' },
  APK_NOT_FOUND: { exit: 5, hint: 'Build the app first.' },
  ACTIVITY_NOT_STARTED: { exit: 5, hint: 'Name an activity of the app in `launchActivity`.' },
  DEPLOY_FAILED: { exit: 5, hint: 'Call `clean-reinstall`.' },
  TEST_APK_NOT_INSTALLED: { exit: 6, hint: 'Install the test APK first.' },
  TESTS_FAILED: { exit: 6, hint: 'Read the failed cases in `data.tests`.' },
  TEST_PROCESS_CRASHED: { exit: 6, hint: 'Read the crash in `data.tests`.' },
  NO_TESTS_MATCHED: { exit: 6, hint: 'Check `class` and `method`.' },
  ELEMENT_NOT_FOUND: { exit: 1, hint: 'Look at the near misses in `data`, or call `layout-dump`.' },
  MULTIPLE_ELEMENTS: { exit: 1, hint: 'Make the target more exact, or use a `ref`.' },
  UI_NOT_IDLE: { exit: 1, hint: 'The screen keeps changing; try again.' },
  UI_DUMP_KILLED: { exit: 1, hint: 'Try again; the dump was killed by the system.' },
  UI_DUMP_EMPTY: { exit: 1, hint: 'Bring a window of the app to the front and try again.' },
  UI_AUTOMATION_BUSY: { exit: 1, hint: 'Another tool holds UiAutomation; stop it and try again.' },
  TEXT_NOT_ASCII: { exit: 1, hint: 'Use a debuggable build, which takes any text.' },
  INPUT_NOT_ALLOWED: { exit: 4, hint: 'Allow input over adb in the developer options of the device.' },
  USER_NOT_ACCESSIBLE: { exit: 4, hint: 'Switch the device to the main user.' },
  JDWP_BUSY: { exit: 5, hint: 'Detach the debugger from the app.' },
  JOB_NOT_FOUND: { exit: 2, hint: 'Call `list-jobs`.' },
  ENVIRONMENT_ERROR: { exit: 1, hint: 'Call `doctor`.' },
  SDK_NOT_FOUND: { exit: 1, hint: 'Set ANDROID_HOME, or run `jugg prefetch`.' },
  JDK_UNSUITABLE: { exit: 1, hint: 'Install a JDK 17 or newer and set JAVA_HOME.' },
  PORT_RANGE_FULL: { exit: 1, hint: 'Stop one of the programs that hold ports 12320..12329.' },
  FEATURE_NOT_SUPPORTED: { exit: 1, hint: 'Use another way; this device or project does not support it.' },
  INTERNAL_ERROR: { exit: 70, hint: 'This is a bug in Jugg; the log is in `artifacts`.' },
} as const;

export type ErrorCode = keyof typeof ERROR_TABLE;
export const ERROR_CODES: readonly ErrorCode[] = Object.freeze(
  // `Object.keys` is typed as string[]; the table is closed, so its keys are exactly the codes.
  Object.keys(ERROR_TABLE) as ErrorCode[],
);
