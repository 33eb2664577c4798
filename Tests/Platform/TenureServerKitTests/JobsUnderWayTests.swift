import TenureCore
import Testing

@testable import TenureServerKit

/// Tests how the slots of a kind of jobs are shared by tenants.
@Suite struct JobsUnderWayTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    /// Returns a job for each letter. The letter is the job's tenant.
    private static func jobs(_ tenants: String) -> [Job] {
        tenants.enumerated().map { number, tenant in
            Job(
                id: "job_\(number)", kind: "test", tenant: TenantID(String(tenant)), dueAt: now, payload: "{}")
        }
    }

    @Test(
        arguments: [
            // While no other tenant waits, a tenant gets all slots.
            (4, "", "a", false, true), (4, "aa", "a", false, true), (4, "aaa", "a", false, true),
            (4, "aaaa", "a", false, false),
            // While other tenants wait, a tenant gets half of the slots.
            (4, "a", "a", true, true), (4, "aa", "a", true, false), (4, "aab", "a", true, false),
            // Slots that a tenant took earlier don't reduce the share of the others.
            (4, "aaaa", "b", true, true), (4, "aaaab", "b", true, true), (4, "aaaabb", "b", true, false),
            (4, "aaaabb", "c", true, false), (4, "aaaab", "c", true, true), (4, "aabb", "c", true, false),
            (4, "aab", "b", false, true), (4, "aaab", "b", false, true),
            // Half of an odd number is rounded down; a single slot isn't divided.
            (5, "aa", "a", true, false), (1, "", "a", true, true), (1, "a", "b", true, false),
            (1, "a", "a", false, false),
            (2, "a", "a", true, false), (2, "a", "a", false, true), (2, "aa", "b", true, true),
        ] as [(Int, String, Character, Bool, Bool)])
    func `a tenant's jobs may use half of the slots (at least one) while other tenants wait, and all slots otherwise`(
        slots: Int, running: String, tenant: Character, othersWait: Bool, mayStart: Bool
    ) {
        let underWay = JobsUnderWay(Self.jobs(running))
        let rules = Job.Rules(concurrency: slots)
        #expect(underWay.hasSlot(for: TenantID(String(tenant)), by: rules, othersWait: othersWait) == mayStart)
    }

    @Test(
        arguments: [
            ("", "aab", 0), ("a", "aab", 2), ("ab", "aab", 0), ("aa", "aab", 2), ("aa", "aa", 0), ("aabb", "ab", nil),
            ("aabb", "c", nil), ("aab", "abc", 2), ("", "", nil),
        ] as [(String, String, Int?)])
    func `the next job is the first one of the tenant with the fewest running jobs`(
        running: String, due: String, index: Int?
    ) {
        let underWay = JobsUnderWay(Self.jobs(running))
        #expect(underWay.next(of: Self.jobs(due), by: Job.Rules(concurrency: 4))?.index == index)
    }

    @Test func `the jobs of all tenants together use at most one and a half times the slots, rounded up`() {
        for slots in 1...9 {
            let rules = Job.Rules(concurrency: slots)
            var underWay = JobsUnderWay([])
            var count = 0
            // The worst case: each tenant in turn is alone, takes as many slots as it may, and keeps them.
            for tenant in "abcdefghijklm" {
                let job = Self.jobs(String(tenant))[0]
                while underWay.hasSlot(for: job.tenant, by: rules, othersWait: false) {
                    underWay.add(job)
                    count += 1
                }
            }
            #expect(count >= slots && count <= slots + (slots + 1) / 2)
        }
    }
}
