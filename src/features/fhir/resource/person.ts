import type { Consent, Organization, Patient, Practitioner, RelatedPerson } from 'fhir/r4.js';
import { compact, type FhirSpace, toId, toInstant } from '#features/fhir/resource/resource.ts';

/** Institutions, staff and persons as FHIR. ID numbers never leave the house. */

export interface FhirInstitution {
  musercode: string;
  insname: string;
  parentmusercode: string | null;
}

/** Returns an institution; `isParentKnown` when the bundle has the institution above it. */
export const toOrganization = (
  space: FhirSpace,
  { musercode, insname, parentmusercode }: FhirInstitution,
  isParentKnown: boolean,
): Organization & { id: string } =>
  compact({
    resourceType: 'Organization' as const,
    id: toId(musercode),
    identifier: [{ system: space.systemOf('musercode'), value: musercode }],
    active: true,
    name: insname,
    partOf: parentmusercode && isParentKnown ? space.refer('Organization', parentmusercode) : undefined,
  });

export const toPractitioner = (
  space: FhirSpace,
  { userid, realname }: { userid: string; realname: string },
): Practitioner & { id: string } => ({
  resourceType: 'Practitioner',
  id: toId(userid),
  identifier: [{ system: space.systemOf('userid'), value: userid }],
  name: [{ text: realname }],
});

export interface FhirPerson {
  cuserid: string;
  musercode: string;
  username: string;
  gender: string;
  birthday: string | null;
  /** the number of the open archive */
  archiveno: string | null;
  /** number of a pupil, an employee or a maternity record */
  personno: string | null;
  phonenumber: string | null;
  address: string | null;
  districtcode: string | null;
}

const GENDERS: Readonly<Record<string, Patient['gender']>> = { '01': 'male', '02': 'female' };

export const toPatient = (space: FhirSpace, person: FhirPerson): Patient & { id: string } =>
  compact({
    resourceType: 'Patient' as const,
    id: toId(person.cuserid),
    identifier: [
      { system: space.systemOf('cuserid'), value: person.cuserid },
      ...(person.archiveno ? [{ system: space.systemOf('archiveno'), value: person.archiveno }] : []),
      ...(person.personno ? [{ system: space.systemOf('personno'), value: person.personno }] : []),
    ],
    name: [{ text: person.username }],
    gender: GENDERS[person.gender] ?? ('unknown' as const),
    birthDate: person.birthday,
    telecom: person.phonenumber ? [{ system: 'phone' as const, value: person.phonenumber }] : [],
    address:
      person.address || person.districtcode
        ? [compact({ text: person.address, district: person.districtcode, country: 'CN' })]
        : [],
    managingOrganization: space.refer('Organization', person.musercode),
  }) as Patient & { id: string };

export const toRelatedPerson = (
  space: FhirSpace,
  guardian: { guardianid: number; cuserid: string; name: string; relation: string; phonenumber: string | null },
): RelatedPerson & { id: string } =>
  compact({
    resourceType: 'RelatedPerson' as const,
    id: toId(`G${guardian.guardianid}`),
    patient: space.refer('Patient', guardian.cuserid),
    relationship: [compact({ coding: [space.coding('relation', guardian.relation)] })],
    name: [{ text: guardian.name }],
    telecom: guardian.phonenumber ? [{ system: 'phone' as const, value: guardian.phonenumber }] : [],
  });

export interface FhirConsent {
  consentid: number;
  cuserid: string;
  /** what was agreed to, with its words */
  scope: string;
  scopename: string;
  consentversion: string;
  guardianid: number | null;
  agreed: number;
  agreetime: Date;
  withdrawtime: Date | null;
}

/** Returns a consent or a refusal. A withdrawn one is inactive and ends with its withdrawal. */
export const toConsent = (space: FhirSpace, consent: FhirConsent): Consent & { id: string } =>
  compact({
    resourceType: 'Consent' as const,
    id: toId(`K${consent.consentid}`),
    status: consent.withdrawtime ? ('inactive' as const) : consent.agreed === 1 ? ('active' as const) : ('rejected' as const),
    scope: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/consentscope', code: 'patient-privacy' }] },
    category: [{ coding: [space.coding('consent-scope', consent.scope, consent.scopename)], text: consent.scopename }],
    patient: space.refer('Patient', consent.cuserid),
    dateTime: toInstant(consent.agreetime),
    performer: [
      consent.guardianid === null
        ? space.refer('Patient', consent.cuserid)
        : space.refer('RelatedPerson', `G${consent.guardianid}`),
    ],
    policyRule: { text: consent.consentversion },
    provision: compact({
      type: consent.agreed === 1 ? ('permit' as const) : ('deny' as const),
      period: compact({
        start: toInstant(consent.agreetime),
        end: consent.withdrawtime ? toInstant(consent.withdrawtime) : undefined,
      }),
    }),
  });
