import { fail } from '../shared/outcome.ts';
import type { Fault } from '../shared/outcome.ts';

type Failure = ReturnType<typeof fail>;

/** The device closed the stream instead of opening it: no such service, or nobody listens there. */
export function refused(serial: string, service: string, deviceMessage?: string): Failure {
  const why = deviceMessage ? `: ${deviceMessage}` : '';
  return fail('ENVIRONMENT_ERROR', `Device ${serial} does not open the service ${service}${why}.`, {
    data: { refused: true, service },
  });
}

/** Whether the device answered, and said no: nobody listens on that socket, or it does not know the service. */
export function isRefused(fault: Fault): boolean {
  return fault.data?.['refused'] === true;
}

export function gone(serial: string): Failure {
  return fail('DEVICE_GONE', `Device ${serial} went away.`, { data: { serial } });
}

/**
 * The fault for a text that an adb server sends with FAIL (adb's transport.cpp `acquire_one_transport` and
 * services.cpp); `service` is what was asked for.
 */
export function serverFault(message: string, serial: string, service: string): Failure {
  const text = message.trim().replaceAll(/\s+/g, ' ');
  const data = { data: { serial, adbMessage: text } };
  if (/^device ('.*' )?not found|no devices\/emulators found|unknown transport/i.test(text)) {
    return fail('DEVICE_GONE', `Device ${serial} is not there any more.`, data);
  }
  if (/unauthorized|authorizing/i.test(text)) {
    return fail(
      'DEVICE_UNAUTHORIZED',
      `Device ${serial} has not allowed USB debugging for this computer yet.`,
      data,
    );
  }
  if (/no permissions|insufficient permissions/i.test(text)) {
    return fail('DEVICE_NO_PERMISSIONS', `No permission to use device ${serial}: ${text}`, data);
  }
  if (/offline|still connecting|protocol fault/i.test(text)) {
    return fail('DEVICE_OFFLINE', `Device ${serial} is offline: ${text}.`, data);
  }
  return refused(serial, service, text);
}

/** The fault for a device that is listed in a state in which it cannot be used. */
export function stateFault(serial: string, state: string, detail: string | null): Failure {
  const data = { data: { serial, state } };
  if (state === 'unauthorized' || state === 'authorizing') {
    return fail(
      'DEVICE_UNAUTHORIZED',
      `Device ${serial} has not allowed USB debugging for this computer yet.`,
      data,
    );
  }
  if (state === 'no permissions') {
    return fail(
      'DEVICE_NO_PERMISSIONS',
      `No permission to use device ${serial}${detail ? ` (${detail})` : ''}.`,
      data,
    );
  }
  return fail('DEVICE_OFFLINE', `Device ${serial} is in state "${state}".`, data);
}
