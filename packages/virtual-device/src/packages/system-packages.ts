/** Whose dialog asks for permissions; drawn by the process of the app that asks. */
export const PERMISSION_CONTROLLER = {
  packageName: 'com.android.permissioncontroller',
  uid: 10_002,
  pid: 930,
};

/** Packages that are part of the system image. None has code here; host tools look for their names. */
export const SYSTEM_PACKAGES: readonly {
  readonly name: string;
  readonly path: string;
  readonly uid: number;
}[] = [
  { name: 'android', path: '/system/framework/framework-res.apk', uid: 1000 },
  { name: 'com.android.shell', path: '/system/priv-app/Shell/Shell.apk', uid: 2000 },
  {
    name: 'com.android.providers.settings',
    path: '/system/priv-app/SettingsProvider/SettingsProvider.apk',
    uid: 1000,
  },
  {
    name: PERMISSION_CONTROLLER.packageName,
    path: '/system/priv-app/PermissionController/PermissionController.apk',
    uid: PERMISSION_CONTROLLER.uid,
  },
  { name: 'dev.jugg.launcher', path: '/system/priv-app/JuggLauncher/JuggLauncher.apk', uid: 10_001 },
];

/** What is in front when no app is: it has a name and no process. */
export const LAUNCHER = {
  packageName: 'dev.jugg.launcher',
  component: 'dev.jugg.launcher/.HomeActivity',
  uid: 10_001,
};
