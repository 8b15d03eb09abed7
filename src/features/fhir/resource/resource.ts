import type { Coding, FhirResource, Reference } from 'fhir/r4.js';
import type { FhirType } from '#features/fhir/fhir.contract.ts';

/** Resources of FHIR R4 (http://hl7.org/fhir/R4): their numbers, addresses and references. */

/** The notice that LOINC asks for beside its codes (https://loinc.org/license). */
export const LOINC_NOTICE =
  'This material contains content from LOINC (http://loinc.org). LOINC is copyright © Regenstrief Institute, Inc. and the LOINC ' +
  'Committee and is available at no cost under the license at http://loinc.org/license.';

const LOINC = 'http://loinc.org';
export const loinc = (code: string): Coding => ({ system: LOINC, code });

/** Returns our code as the number of a resource: letters, digits, `-` and `.`, at most 64 characters. */
export const toId = (code: string): string => code.replace(/[^A-Za-z0-9.-]/g, '-').slice(0, 64);

/** Where resources and codes of this server have their addresses. It is the public address of the server followed by `/fhir`. */
export class FhirSpace {
  readonly base: string;
  /** @param publicUrl the server's address without a slash at its end */
  constructor(publicUrl: string) {
    this.base = `${publicUrl}/fhir`;
  }
  /** The address of a resource. */
  urlOf(type: FhirType, code: string): string {
    return `${this.base}/${type}/${toId(code)}`;
  }
  /** A reference to a resource of the same bundle. */
  refer(type: FhirType, code: string, display?: string): Reference {
    return { reference: this.urlOf(type, code), type, ...(display ? { display } : {}) };
  }
  /** A code of our own. */
  coding(system: string, code: string, display?: string): Coding {
    return { system: `${this.base}/CodeSystem/${system}`, code, ...(display ? { display } : {}) };
  }
  /** The system of our own numbers. */
  systemOf(name: string): string {
    return `${this.base}/sid/${name}`;
  }
  /** An entry of a bundle. */
  entryOf(resource: FhirResource & { id: string }): { fullUrl: string; resource: FhirResource } {
    return { fullUrl: `${this.base}/${resource.resourceType}/${resource.id}`, resource };
  }
}

/** A moment as FHIR writes it, e.g. `2025-10-08T02:00:00.000Z`. */
export const toInstant = (time: Date): string => time.toISOString();

/** Leaves out absent values: FHIR has no null and no empty text. */
export function compact<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], null> } {
  return Object.fromEntries(
    Object.entries(value).filter(
      ([, field]) => field !== undefined && field !== null && field !== '' && !(Array.isArray(field) && field.length === 0),
    ),
  ) as { [K in keyof T]: Exclude<T[K], null> };
}
