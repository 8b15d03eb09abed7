import { randomBytes } from 'node:crypto';
import { maskName } from '#domain/base/mask.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import type { Context } from '#server/dispatch/handle.ts';
import type { ConsentState } from '#features/respond/entry/consentState.ts';
import { createRespondentSession, type EntryFacts, type EntryPerson } from '#features/respond/entry/entry.queries.ts';

/** Opens the session of an identified person. Returns what the page needs to go on. */
export async function openRespondentSession(
  ctx: Pick<Context, 'pools' | 'cipher' | 'origin' | 'audit'>,
  entry: Pick<EntryFacts, 'musercode' | 'needsignature'>,
  person: EntryPerson & { state: ConsentState; you: '你' | '您' },
) {
  const token = randomBytes(32).toString('base64url');
  await createRespondentSession(ctx.pools.authn, {
    tokenhash: hashToken(token),
    musercode: entry.musercode,
    cuserid: person.cuserid,
    ...ctx.origin,
  });
  const { state } = person;
  const [draftsecret = '', ...olddraftsecrets] = ctx.cipher.hmacs('draft', person.cuserid);
  ctx.audit({ cuserids: [person.cuserid] });
  return {
    token,
    maskedname: maskName(person.username),
    belongs: person.belongs,
    gender: person.gender,
    needconsent: state.isMissing,
    consentversion: state.version,
    needguardian: state.isGuardianOpen,
    guardianphone: state.guardianphone,
    reading: state.reading,
    needsignature: entry.needsignature === 1,
    large: person.appid === '000000004',
    you: person.you,
    draftsecret,
    olddraftsecrets,
  };
}
