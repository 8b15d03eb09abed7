import { shanghaiDate } from '#domain/base/calendar.ts';
import { consentText } from '#domain/exam/consent.ts';
import { defaultTerms, type ConsentTerms } from '#domain/exam/consentTerms.ts';
import type { Hotline } from '#domain/exam/hotline.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { requireBelow, requireReach } from '#features/access/institutionAccess.ts';
import { findCurrentConsent } from '#features/consent/consentFacts.ts';
import * as contract from '#features/consent/settings/settings.contract.ts';
import * as queries from '#features/consent/settings/settings.queries.ts';

const noTerms: ConsentTerms = { ...defaultTerms(''), answersterm: '', casesterm: '', leader: '', authority: '' };

const getConsentSettings = handle(contract.getConsentSettings, async ({ musercode }, { scope, caller }) => {
  const institution = await requireReach(scope, musercode ?? caller.musercode);
  const entry = await queries.findEntrySettings(scope, institution.musercode);
  if (!entry) throw problems.notFound({ what: '机构入口' });
  const { facts, version } = await findCurrentConsent(scope, institution.musercode);
  return {
    terms: { ...noTerms, ...(entry.consentterms as Partial<ConsentTerms>) },
    defaults: defaultTerms(facts.sector),
    hotlines: entry.hotlines as Hotline[],
    shared: await queries.findSharedHotlines(scope, institution.musercode),
    textversion: version,
    version: entry.version,
    text: consentText(facts, 'full').text,
  };
});

/** The caller's own institution or one below that the caller manages. */
const requireEditable = (scope: Scope, caller: Staff, musercode: string) =>
  musercode === caller.musercode ? requireReach(scope, musercode) : requireBelow(scope, caller, musercode);

const saveConsentSettings = handle(contract.saveConsentSettings, async ({ musercode, terms = {}, hotlines }, ctx) => {
  const { scope, caller, now } = ctx;
  await requireEditable(scope, caller, musercode);
  const entry = await queries.findEntrySettings(scope, musercode);
  if (!entry) throw problems.notFound({ what: '机构入口' });
  // Saving confirms the hours: the day of the check is today.
  const checkedon = shanghaiDate(now);
  await queries.saveEntrySettings(scope, musercode, { terms, hotlines: hotlines.map((line) => ({ ...line, checkedon })), now });
  ctx.audit({ objectid: musercode, detail: { terms, hotlines } });
  const { version } = await findCurrentConsent(scope, musercode);
  return { textversion: version };
});

export const consentSettingsHandlers = [getConsentSettings, saveConsentSettings];
