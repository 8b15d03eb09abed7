import { TextInput } from '@mantine/core';
import { DayField } from '#ui/dates/dateFields.tsx';
import { LongTextField, SwitchField } from '#ui/form/fields.tsx';
import { MoreFields } from '#ui/form/MoreFields.tsx';
import { PictureField } from '#blocks/file/PictureField.tsx';
import { RegionField } from '#blocks/region/RegionField.tsx';
import type { InstitutionForm } from '#features/muser/edit/institutionForm.ts';
import { WarningLevelField } from '#features/muser/edit/WarningLevelField.tsx';

interface Props {
  form: InstitutionForm;
  musertype: string;
  /** The form shows no telephone, because the caller sees it masked. It stays unless the user types another. */
  isMasked?: boolean;
  /** The URL of the current logo. */
  logo?: string;
}

/** The fields that the forms of a new and of an existing institution have in common. */
export function MUserFields({ form, musertype, isMasked = false, logo = '' }: Props) {
  const field = form.field;
  const value = (key: string) => (form.values[key] as string | null | undefined) || null;
  return (
    <>
      <RegionField
        value={{ provincecode: value('provincecode'), citycode: value('citycode'), districtcode: value('districtcode') }}
        error={form.error('districtcode') ?? form.error('citycode') ?? form.error('provincecode')}
        onChange={(region) => {
          form.set('provincecode', region.provincecode);
          form.set('citycode', region.citycode);
          form.set('districtcode', region.districtcode);
        }}
      />
      <TextInput {...field('realname')} />
      <TextInput {...field('phonenumber')} placeholder={isMasked ? '已登记，需要更换时填写' : '手机号，或带区号的固定电话'} />
      <DayField {...field('expiredate')} onChange={((day: string | undefined) => form.set('expiredate', day ?? null)) as never} />
      <PictureField
        {...field('logofileid')}
        use="logo"
        savedUrl={logo}
        value={form.values.logofileid}
        onPick={(fileid) => form.set('logofileid', fileid)}
        hint="显示在该机构人员的页面顶部，正方形最佳"
      />
      <MoreFields title="更多信息（选填）">
        <TextInput {...field('shortname')} />
        <TextInput {...field('address')} />
        <TextInput {...field('contractno')} />
        {(musertype === '004' || musertype === '005') && <WarningLevelField form={form} />}
        {(musertype === '004' || musertype === '005') && (
          <SwitchField {...field('showreportdefault')} words="受测者交卷后可以查看自己的报告（不显示分数）" />
        )}
        <SwitchField {...field('mustfactor')} words="该机构的账号登录须通过二次验证；未设置的账号下次登录时先设置" />
        <SwitchField
          {...field('trustdevice')}
          words="二次验证时可勾选“此设备 30 天内免二次验证”；导出等敏感操作照常再次验证身份"
        />
        <LongTextField {...field('remark')} maxLength={500} />
      </MoreFields>
    </>
  );
}
