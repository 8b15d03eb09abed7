import { expect, test } from 'vitest';
import { archiveFieldsOf } from '#domain/person/archive.ts';
import { populations } from '#domain/person/populations.ts';

test('every line of a report’s cover and basic facts is a field of the archive of its population', () => {
  // The weeks of pregnancy follow from the dates; the working unit and class come from the team of the exam.
  const derived = ['gestation'];
  for (const { appid, cover, basicinfo } of Object.values(populations)) {
    const fields = (archiveFieldsOf[appid] ?? []).map(({ code }) => code);
    for (const { field } of [...cover, ...basicinfo]) if (!derived.includes(field)) expect(fields, appid).toContain(field);
  }
});
