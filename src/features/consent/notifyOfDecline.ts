import { shanghaiDate } from '#domain/base/calendar.ts';
import { AbsentReason } from '#domain/task/taskprogress.ts';
import type { Scope } from '#server/db/scope.ts';
import { notifyOfConsent } from '#features/consent/withdrawal/notices.ts';

/** Tells the psychologists that a person does not want to take part. The notice asks nobody to chase the person. */
export const notifyOfDecline = (
  scope: Scope,
  decline: {
    musercode: string;
    taskcode: string;
    taskname: string;
    cuserid: string;
    username: string;
    teamname: string;
    now: Date;
  },
) =>
  notifyOfConsent(scope, decline.musercode, {
    title: '有一名受测者不参加测评',
    content: `${decline.username}${decline.teamname ? `（${decline.teamname}）` : ''}不参加“${
      decline.taskname
    }”，已登记为${AbsentReason.refused}，不再催测。可以在合适的时候单独关心，不必追问原因。`,
    link: `/task/administration/${decline.taskcode}/roster?reason=${encodeURIComponent(AbsentReason.refused)}`,
    key: `declined:${decline.taskcode}:${decline.cuserid}:${shanghaiDate(decline.now)}`,
    now: decline.now,
  });
