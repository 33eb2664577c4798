import TenureCore
import Testing

@testable import TenureContent
@testable import TenureContentServer

/// What `apply` reports of a content policy whose fields act together in an unexpected way.
@Suite struct ContentPolicyRemarksTests {
    @Test(
        arguments: [
            (.finish, 0, nil), (.stop, 0, nil), (.grace, 6, nil), (.grace, 0, "graceHours is 0"),
            (.finish, 6, "graceHours has no effect"), (.stop, 1, "graceHours has no effect"),
        ] as [(ContentTerms.WhenOver, Int, String?)])
    func `a content policy with an unused grace period, or with a grace rule of zero hours, is reported`(
        whenOver: ContentTerms.WhenOver, hours: Int, report: String?
    ) throws {
        var policy = ContentPolicy(id: try #require(ContentPolicyID("std")))
        (policy.whenOver, policy.graceHours) = (whenOver, hours)
        #expect(policy.remarks.count == (report == nil ? 0 : 1))
        #expect(policy.remarks.first?.contains(report ?? "") ?? true)
    }
}
