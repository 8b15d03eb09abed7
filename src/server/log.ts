import pino from 'pino';

// One JSON line per event, with allowed fields only: never a body, a name or an identity number of a person.
const logger = pino(
  { base: null, timestamp: pino.stdTimeFunctions.isoTime, level: process.env['LOG_LEVEL'] ?? 'warn' },
  pino.destination({ dest: 2, sync: false }),
);

const allowed = ['requestId', 'action', 'errorCode', 'ms', 'error', 'job', 'count', 'audithead'] as const;

/** Writes the allowed fields of an event; `level: 'error'` decides between error and info. */
export function logLine(line: Record<string, unknown>) {
  const fields = Object.fromEntries(allowed.filter((key) => line[key] !== undefined).map((key) => [key, line[key]]));
  if (line['level'] === 'error') logger.error(fields);
  else logger.info(fields);
}
