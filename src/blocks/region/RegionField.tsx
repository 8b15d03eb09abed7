import { Group, Input, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getDistrictList } from '#features/muser/muser.contract.ts';

export interface Region {
  provincecode: string | null;
  citycode: string | null;
  districtcode: string | null;
}
interface Props {
  label?: string;
  value: Region;
  error?: ReactNode;
  onChange: (region: Region) => void;
}

/**
 * Fields for province, city and county. A level without children is the last: 东莞, 中山, 儋州 and 嘉峪关 have no counties, so they show no
 * third list.
 */
export function RegionField({ label = '地区', value, error, onChange }: Props) {
  const provinces = useActionQuery(getDistrictList, { parentcode: '' });
  const cities = useActionQuery(getDistrictList, value.provincecode ? { parentcode: value.provincecode } : undefined);
  const city = cities.data?.find((candidate) => candidate.districtcode === value.citycode);
  const districts = useActionQuery(
    getDistrictList,
    value.citycode && city?.haschild !== 0 ? { parentcode: value.citycode } : undefined,
  );
  const options = (rows: typeof provinces.data) =>
    (rows ?? []).map((row) => ({ value: row.districtcode, label: row.districtname }));
  const common = { searchable: true, clearable: true, style: { flex: '1 1 120px' } } as const;
  // Counties directly below a province (直辖的县级市) are chosen in the list of cities.
  const second = (code: string | null): Region => {
    const chosen = cities.data?.find((candidate) => candidate.districtcode === code);
    return {
      provincecode: value.provincecode,
      citycode: chosen?.level === 2 ? code : null,
      districtcode: chosen?.level === 3 ? code : null,
    };
  };
  const third = value.citycode !== null && (districts.data?.length ?? 0) > 0;
  return (
    <Input.Wrapper label={label} error={error}>
      <Group gap="xs" align="flex-start" data-path="districtcode" tabIndex={-1}>
        <Select
          {...common}
          aria-label="省"
          placeholder={provinces.isPending ? '正在加载…' : '省'}
          data={options(provinces.data)}
          value={value.provincecode}
          onChange={(provincecode) => onChange({ provincecode, citycode: null, districtcode: null })}
        />
        <Select
          {...common}
          aria-label="市"
          placeholder="市"
          disabled={!value.provincecode}
          data={options(cities.data)}
          value={
            value.citycode ?? (cities.data?.some((item) => item.districtcode === value.districtcode) ? value.districtcode : null)
          }
          onChange={(code) => onChange(second(code))}
        />
        {third && (
          <Select
            {...common}
            aria-label="区县"
            placeholder="区县"
            data={options(districts.data)}
            value={value.districtcode}
            onChange={(districtcode) => onChange({ ...value, districtcode })}
          />
        )}
      </Group>
    </Input.Wrapper>
  );
}
