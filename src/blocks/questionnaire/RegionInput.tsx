import type { Answer } from '#domain/scoring/scale.ts';
import { getDistrictList } from '#features/muser/muser.contract.ts';
import { RegionField } from '#blocks/region/RegionField.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';

/** The input of a region question (input type 8): the reader chooses level by level. The answer is the code of six digits. */
export function RegionInput({ answer, onChange }: { answer: Answer | undefined; onChange: (answer: Answer) => void }) {
  const code = typeof answer === 'string' && /^\d{6}$/.test(answer) ? answer : '';
  const provincecode = code && `${code.slice(0, 2)}0000`;
  const cities = useActionQuery(getDistrictList, provincecode ? { parentcode: provincecode } : undefined).data;
  const find = (regioncode: string) => cities?.find(({ districtcode }) => districtcode === regioncode);
  // Counties directly below a province (直辖的县级市) stand in the list of cities.
  const city = find(code) ?? find(`${code.slice(0, 4)}00`);
  const isAbove = code === provincecode || (city?.level === 2 && code === city.districtcode);
  return (
    <RegionField
      label=""
      value={{
        provincecode: provincecode || null,
        citycode: city?.level === 2 ? city.districtcode : null,
        districtcode: isAbove ? null : code || null,
      }}
      onChange={(next) => onChange(next.districtcode ?? next.citycode ?? next.provincecode ?? null)}
    />
  );
}
