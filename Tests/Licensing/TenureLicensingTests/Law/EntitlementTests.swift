import TenureLicensing
import Testing

@Suite struct EntitlementTests {
    @Test(arguments: [
        ("pro", true), ("a,b", false), ("a|b", false), ("", false), ("a b", false), ("export:csv", true), ("é", false),
        ("a\n", false),
    ])
    func `an entitlement's name can't contain a separator, a blank or a non-ASCII character`(name: String, valid: Bool)
    {
        #expect((Entitlement(name) != nil) == valid)
    }
}
