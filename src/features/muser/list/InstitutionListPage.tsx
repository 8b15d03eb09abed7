import { MUserList } from '#features/muser/list/MUserList.tsx';

/** 机构管理: schools, hospitals and other institutions. */
export default function InstitutionListPage() {
  return <MUserList kind="institutions" />;
}
