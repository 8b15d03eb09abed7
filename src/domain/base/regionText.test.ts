import { expect, test } from 'vitest';
import { placeIn, regionText, type Place } from '#domain/base/regionText.ts';

const place = (districtcode: string, districtname: string, level: number): Place => ({ districtcode, districtname, level });
const provinces = [place('320000', '江苏省', 1), place('220000', '吉林省', 1), place('440000', '广东省', 1)];
const cities = [place('320100', '南京市', 2), place('320200', '无锡市', 2)];
const districts = [place('320106', '鼓楼区', 3), place('320102', '玄武区', 3)];

test('江苏省南京市鼓楼区 is parsed level by level and formatted the same', () => {
  const province = placeIn('江苏省南京市鼓楼区', provinces);
  const city = placeIn(province?.rest ?? '', cities);
  const district = placeIn(city?.rest ?? '', districts);
  const codes = [province, city, district].map((item) => item?.place.districtcode ?? null);
  expect(codes).toEqual(['320000', '320100', '320106']);
  expect(regionText(codes, [...provinces, ...cities, ...districts])).toBe('江苏省南京市鼓楼区');
  expect(regionText(['440000', null, null], provinces)).toBe('广东省');
});

test('free text is not a region of the list', () => {
  expect(placeIn('我家在南京', provinces)).toBeUndefined();
  expect(placeIn('江苏省', undefined)).toBeUndefined();
});
