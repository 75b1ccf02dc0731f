import { describe, expect, test } from 'vitest';
import { fullPermission, permissionRefusal, permissionState } from '../../src/formats/permissions.ts';

/** As Android 14 prints it, cut. */
const DUMP = `Permissions:
  Permission [android.permission.CAMERA] (1234):
Packages:
  Package [com.example] (a1b2c3):
    appId=10123
    requested permissions:
      android.permission.CAMERA
      android.permission.INTERNET
      android.permission.RECORD_AUDIO: restricted=true
    install permissions:
      android.permission.INTERNET: granted=true
    User 0: ceDataInode=1 installed=true hidden=false
      runtime permissions:
        android.permission.CAMERA: granted=true, flags=[ USER_SET|USER_SENSITIVE_WHEN_GRANTED]
        android.permission.RECORD_AUDIO: granted=false, flags=[ USER_SET]
    User 10: ceDataInode=2 installed=true hidden=false
      runtime permissions:
        android.permission.CAMERA: granted=false, flags=[ ]
        android.permission.RECORD_AUDIO: granted=true, flags=[ ]

  Package [com.other] (d4e5f6):
    User 0: ceDataInode=3 installed=true
      runtime permissions:
        android.permission.READ_CONTACTS: granted=true
`;

describe('the state of a permission', () => {
  test.each([
    [0, 'CAMERA', 'granted'],
    [10, 'CAMERA', 'denied'],
    [0, 'RECORD_AUDIO', 'denied'],
    [10, 'RECORD_AUDIO', 'granted'],
    [0, 'INTERNET', 'granted'],
    [10, 'INTERNET', 'granted'],
    [0, 'READ_CONTACTS', 'unlisted'],
    [0, 'CAM', 'unlisted'],
  ])('of user %i: %s is %s', (user, name, state) => {
    expect(permissionState(DUMP, 'com.example', user, fullPermission(name))).toBe(state);
    expect(permissionState(DUMP.replaceAll('\n', '\r\n'), 'com.example', user, fullPermission(name))).toBe(
      state,
    );
  });
  test('of an app that is not there', () => {
    expect(permissionState(DUMP, 'com.nobody', 0, 'android.permission.CAMERA')).toBe('unlisted');
  });
});

test.each([
  ['', null],
  [
    "\nException occurred while executing 'grant':\njava.lang.SecurityException: Package a.b has not requested permission X\n\tat com.android…",
    'Package a.b has not requested permission X',
  ],
  [
    'Operation not allowed: java.lang.SecurityException: Y is not a changeable permission type',
    'Y is not a changeable permission type',
  ],
  ['Error: no permission specified\n', 'Error: no permission specified'],
])('what pm says: %j', (output, refusal) => {
  expect(permissionRefusal(output)).toBe(refusal);
});
