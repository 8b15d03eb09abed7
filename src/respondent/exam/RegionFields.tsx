import { useEffect, useState, type ReactNode } from 'react';
import { placeIn, regionText } from '#domain/base/regionText.ts';
import { call, type CallResponse } from '#respondent/api/api.ts';

type Regions = CallResponse<'getRegions'>;

/** The lists that this page has loaded, by the region above. */
const loaded = new Map<string, Regions>();

/** Loads the regions below a region; undefined until the list is there. */
function useRegions(parentcode: string | undefined, onFailure: () => void): Regions | undefined {
  const [, setLoadCount] = useState(0);
  useEffect(() => {
    if (parentcode === undefined || loaded.has(parentcode)) return;
    call('getRegions', { parentcode }).then((regions) => {
      loaded.set(parentcode, regions);
      setLoadCount((count) => count + 1);
    }, onFailure);
  }, [parentcode]);
  return parentcode === undefined ? undefined : loaded.get(parentcode);
}

interface Props {
  id: string;
  label: string;
  /** the joined names, 江苏省南京市鼓楼区 */
  text: string;
  change: (text: string) => void;
  /** the field to type in, for a phone that cannot load the lists */
  children: ReactNode;
}

/** Lists of provinces, cities and counties. A level without regions below it shows no further list. */
export function RegionFields({ id, label, text, change, children }: Props) {
  const [hasFailed, setHasFailed] = useState(false);
  const onFailure = () => setHasFailed(true);
  const provinces = useRegions('', onFailure);
  const province = placeIn(text, provinces);
  const cities = useRegions(province?.place.districtcode, onFailure);
  const second = placeIn(province?.rest ?? '', cities);
  // Counties directly below a province (直辖的县级市) stand in the list of cities.
  const hasThird = second !== undefined && cities?.some((city) => city === second.place && city.haschild === 1);
  const districts = useRegions(hasThird ? second.place.districtcode : undefined, onFailure);
  const third = placeIn(second?.rest ?? '', districts);
  if (hasFailed) return children;

  const regions = [...(provinces ?? []), ...(cities ?? []), ...(districts ?? [])];
  const codes = [province, second, third].map((found) => found?.place.districtcode ?? null);
  const choose = (level: number, code: string) => change(regionText([...codes.slice(0, level), code || null], regions));
  const lists = [
    { title: '省份', regions: provinces, isShown: true },
    { title: '城市', regions: cities, isShown: province !== undefined },
    { title: '区县', regions: districts, isShown: hasThird },
  ];
  return (
    <div className="regions" role="group" aria-label={label}>
      {lists.map(({ title, regions: options, isShown }, level) =>
        isShown ? (
          <select
            key={title}
            id={level === 0 ? id : undefined}
            aria-label={title}
            value={codes[level] ?? ''}
            disabled={!options}
            onChange={(event) => choose(level, event.target.value)}
          >
            <option value="">{options ? `请选择${title}` : '正在加载…'}</option>
            {options?.map(({ districtcode, districtname }) => (
              <option key={districtcode} value={districtcode}>
                {districtname}
              </option>
            ))}
          </select>
        ) : null,
      )}
      {provinces && text !== '' && !province ? <p className="quiet">原来填写的是“{text}”</p> : null}
    </div>
  );
}
