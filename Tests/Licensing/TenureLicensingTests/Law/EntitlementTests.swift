import TenureLicensing
import Testing

@Suite struct EntitlementTests {
    @Test(arguments: [
        ("pro", true), ("a,b", false), ("a|b", false), ("", false), ("a b", false), ("export:csv", true), ("é", false),
        ("a\n", false),
    ])
    func `an entitlement's name isn't empty and has no separator, blank or non-ASCII character`(
        name: String, valid: Bool
    ) {
        #expect((Entitlement(name) != nil) == valid)
    }
}
