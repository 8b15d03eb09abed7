import { Text } from '@mantine/core';
import type { Answer } from '#domain/scoring/scale.ts';
import { getDistrictList } from '#features/muser/muser.contract.ts';
import { RegionField } from '#blocks/region/RegionField.tsx';
import { placeIn, regionText } from '#domain/base/regionText.ts';
import { useActionQuery } from '#ui/api/useAction.ts';

/** The input of a region question (input type 8): the reader chooses level by level. The answer is the joined names. */
export function RegionInput({ answer, onChange }: { answer: Answer | undefined; onChange: (answer: Answer) => void }) {
  const text = typeof answer === 'string' ? answer : '';
  const under = (code: string | undefined) => (code === undefined ? undefined : { parentcode: code });
  const provinces = useActionQuery(getDistrictList, { parentcode: '' }).data;
  const province = placeIn(text, provinces);
  const cities = useActionQuery(getDistrictList, under(province?.place.districtcode)).data;
  const second = placeIn(province?.rest ?? '', cities);
  const city = second?.place.level === 2 ? second : undefined;
  const districts = useActionQuery(getDistrictList, under(city?.place.districtcode)).data;
  const third = second?.place.level === 3 ? second : placeIn(city?.rest ?? '', districts);
  const regions = [...(provinces ?? []), ...(cities ?? []), ...(districts ?? [])];
  return (
    <>
      <RegionField
        label=""
        value={{
          provincecode: province?.place.districtcode ?? null,
          citycode: city?.place.districtcode ?? null,
          districtcode: third?.place.districtcode ?? null,
        }}
        onChange={(next) => onChange(regionText([next.provincecode, next.citycode, next.districtcode], regions) || null)}
      />
      {text !== '' && provinces && !province && (
        <Text size="sm" c="dimmed" mt={4}>
          原来填写的是“{text}”
        </Text>
      )}
    </>
  );
}
