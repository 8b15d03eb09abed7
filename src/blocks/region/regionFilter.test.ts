import { expect, test } from 'vitest';
import { regionOf } from '#blocks/region/RegionFilter.tsx';

test('the six digits of a region code name its province and city', () => {
  expect(regionOf('330000')).toEqual({ provincecode: '330000', citycode: null, districtcode: null });
  expect(regionOf('330100')).toEqual({ provincecode: '330000', citycode: '330100', districtcode: null });
  expect(regionOf('330106')).toEqual({ provincecode: '330000', citycode: '330100', districtcode: '330106' });
  // 仙桃市 lies directly below 湖北.
  expect(regionOf('429004')).toEqual({ provincecode: '420000', citycode: null, districtcode: '429004' });
  expect(regionOf(null)).toEqual({ provincecode: null, citycode: null, districtcode: null });
});
