import { useEffect, useState } from 'react';
import { call, type CallResponse } from '#respondent/api/api.ts';

type Regions = CallResponse<'getRegions'>;

/** The lists that this page has loaded, by the region above. */
const loaded = new Map<string, Regions>();

/** Loads the regions below a region; undefined until the list is there. A new `attempt` loads a failed list again. */
function useRegions(parentcode: string | undefined, attempt: number, onFailure: () => void): Regions | undefined {
  const [, setLoadCount] = useState(0);
  useEffect(() => {
    if (parentcode === undefined || loaded.has(parentcode)) return;
    call('getRegions', { parentcode }).then((regions) => {
      loaded.set(parentcode, regions);
      setLoadCount((count) => count + 1);
    }, onFailure);
  }, [parentcode, attempt]);
  return parentcode === undefined ? undefined : loaded.get(parentcode);
}

interface Props {
  id: string;
  label: string;
  /** the code of the chosen region, six digits: 320106 */
  code: string;
  change: (code: string) => void;
}

/** Lists of provinces, cities and counties. A level without regions below it shows no further list. */
export function RegionFields({ id, label, code, change }: Props) {
  const [attempt, setAttempt] = useState(0);
  const [hasFailed, setHasFailed] = useState(false);
  const onFailure = () => setHasFailed(true);
  const find = (regions: Regions | undefined, ...codes: string[]) =>
    regions?.find(({ districtcode }) => codes.includes(districtcode));
  const provinces = useRegions('', attempt, onFailure);
  const province = find(provinces, `${code.slice(0, 2)}0000`);
  const cities = useRegions(province?.districtcode, attempt, onFailure);
  // Counties directly below a province (直辖的县级市) stand in the list of cities.
  const city = find(cities, code) ?? find(cities, `${code.slice(0, 4)}00`);
  const districts = useRegions(city?.haschild === 1 ? city.districtcode : undefined, attempt, onFailure);
  const district = find(districts, code);
  const lists = [
    { title: '省份', regions: provinces, chosen: province, isShown: true, above: '' },
    { title: '城市', regions: cities, chosen: city, isShown: province !== undefined, above: province?.districtcode },
    { title: '区县', regions: districts, chosen: district, isShown: city?.haschild === 1, above: city?.districtcode },
  ];
  return (
    <div className="regions" role="group" aria-label={label}>
      {lists.map(({ title, regions, chosen, isShown, above }, level) =>
        isShown ? (
          <select
            key={title}
            id={level === 0 ? id : undefined}
            aria-label={title}
            value={chosen?.districtcode ?? ''}
            disabled={!regions}
            onChange={(event) => change(event.target.value || (above ?? ''))}
          >
            <option value="">{regions ? `请选择${title}` : '正在加载…'}</option>
            {regions?.map(({ districtcode, districtname }) => (
              <option key={districtcode} value={districtcode}>
                {districtname}
              </option>
            ))}
          </select>
        ) : null,
      )}
      {hasFailed && (
        <p className="fault" role="alert">
          地区列表没有加载出来。
          <button
            type="button"
            onClick={() => {
              setHasFailed(false);
              setAttempt(attempt + 1);
            }}
          >
            重新加载
          </button>
        </p>
      )}
    </div>
  );
}
