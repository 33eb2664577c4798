import TenureLicensing
import Testing

@Suite struct EntitlementTests {
    @Test(arguments: [
        ("pro", true), ("a,b", false), ("a|b", false), ("", false), ("a b", false), ("export:csv", true), ("é", false),
        ("a\n", false),
    ]) func `no entitlement can be read as two`(name: String, valid: Bool) {
        #expect((Entitlement(name) != nil) == valid)
    }
}
