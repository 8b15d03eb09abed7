import { MUserType } from '#domain/base/enums.ts';
import { useUser } from '#ui/api/session.ts';
import { EmptyState } from '#ui/feedback/states.tsx';

/**
 * Explains an empty list. A supervising authority reads the counts of institutions in its own tree (model-and-calls 1.13, scope T). It
 * does not read the counts that providers granted to the schools of its region.
 */
export function NoCounts({ title, hint }: { title: string; hint: string }) {
  return useUser().musertype === MUserType.authority ? (
    <EmptyState
      title="本账号名下没有方案次数"
      hint="辖区内学校和机构的次数由为其服务的服务商发放与核对，主管部门不查看；由本部门统一采购、发放给下级机构的次数会显示在这里"
    />
  ) : (
    <EmptyState title={title} hint={hint} />
  );
}
