import { useContext } from 'react';
import type { FilterValue } from '#ui/router/filtersInAddress.ts';
import { FilterContext, useRegisterFilter } from '#ui/list/filters.tsx';
import { RegionField, type Region } from '#blocks/region/RegionField.tsx';
import classes from './RegionFilter.module.css';

const LEVELS = ['provincecode', 'citycode', 'districtcode'] as const;
const text = (value: FilterValue) => (value === null || value === undefined || value === '' ? null : String(value));

/** Returns the province and city of a region's six digits; `xx90xx` are counties directly below a province. */
export function regionOf(code: string | null): Region {
  if (!code) return { provincecode: null, citycode: null, districtcode: null };
  const city = code.slice(2, 4) === '00' || code.slice(2, 4) === '90' ? null : `${code.slice(0, 4)}00`;
  return { provincecode: `${code.slice(0, 2)}0000`, citycode: city, districtcode: code.endsWith('00') ? null : code };
}

/**
 * Filters institutions by province, city and county. The request has a field for each level or, with `name`, one field for the
 * deepest.
 */
export function RegionFilter({ name }: { name?: string }) {
  const { draft, set } = useContext(FilterContext);
  useRegisterFilter(...(name ? [name] : LEVELS));
  const value: Region = name
    ? regionOf(text(draft[name]))
    : { provincecode: text(draft['provincecode']), citycode: text(draft['citycode']), districtcode: text(draft['districtcode']) };
  return (
    <div className={classes['wide']}>
      <RegionField
        value={value}
        onChange={(region) =>
          set(name ? { [name]: region.districtcode ?? region.citycode ?? region.provincecode } : { ...region })
        }
      />
    </div>
  );
}
