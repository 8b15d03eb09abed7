import type { Bound } from '#server/actions/bound.ts';
import * as handOver from '#features/handover/handOver.contract.ts';
import { handOverHandlers } from '#features/handover/handOver.server.ts';
import * as guardianConsent from '#features/consent/guardian/guardian.contract.ts';
import { guardianConsentHandlers } from '#features/consent/guardian/guardian.server.ts';
import * as consentSettings from '#features/consent/settings/settings.contract.ts';
import { consentSettingsHandlers } from '#features/consent/settings/settings.server.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import { cuserHandlers } from '#features/cuser/cuser.server.ts';
import * as archive from '#features/archive/archive.contract.ts';
import { archiveHandlers } from '#features/archive/archive.server.ts';
import * as archivefield from '#features/archivefield/archivefield.contract.ts';
import { archiveFieldHandlers } from '#features/archivefield/archivefield.server.ts';
import * as identity from '#features/identity/identity.contract.ts';
import { identityHandlers } from '#features/identity/identity.server.ts';
import * as duplicates from '#features/identity/duplicates.contract.ts';
import * as merge from '#features/merge/merge.contract.ts';
import { duplicateHandlers } from '#features/identity/duplicates.server.ts';
import { mergeHandlers } from '#features/merge/merge.server.ts';
import * as leaving from '#features/cuser/leaving/leaving.contract.ts';
import { leavingHandlers } from '#features/cuser/leaving/leaving.server.ts';
import * as anonymize from '#features/anonymize/anonymize.contract.ts';
import * as retention from '#features/retention/retention.contract.ts';
import { anonymizeHandlers } from '#features/anonymize/anonymize.server.ts';
import { retentionHandlers } from '#features/retention/retention.server.ts';
import * as personsheet from '#features/personsheet/personsheet.contract.ts';
import { personsheetHandlers } from '#features/personsheet/personsheet.server.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import { rosterHandlers } from '#features/team/roster/roster.server.ts';
import * as team from '#features/team/team.contract.ts';
import { teamHandlers } from '#features/team/team.server.ts';

/** The contracts of persons, teams, consents, erasure and hand-over, each with its handlers. */
export const people: readonly Bound[] = [
  [handOver, handOverHandlers],
  [guardianConsent, guardianConsentHandlers],
  [consentSettings, consentSettingsHandlers],
  [cuser, cuserHandlers],
  [archive, archiveHandlers],
  [archivefield, archiveFieldHandlers],
  [identity, identityHandlers],
  [{ ...duplicates, ...merge }, [...duplicateHandlers, ...mergeHandlers]],
  [leaving, leavingHandlers],
  [{ ...anonymize, ...retention }, [...anonymizeHandlers, ...retentionHandlers]],
  [personsheet, personsheetHandlers],
  [roster, rosterHandlers],
  [team, teamHandlers],
];
