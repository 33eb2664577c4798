import Foundation
import GoldenFiles
import TenureContent
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureTesting
import Testing

@Suite struct CatalogFileTests {
    /// A catalog file with a fault, and the JSON pointer of the fault.
    @Test(arguments: [
        (#"{"tenants": [{"id": "acme", "colour": 1}]}"#, "/tenants/0/colour"),
        (#"{"tenants": [{"id": "Acme"}]}"#, "/tenants/0/id"),
        (#"{"tenants": [{"id": "v1"}]}"#, "/tenants/0/id"),
        (#"{"tenants": [{}]}"#, "/tenants/0"),
        (#"{"tenants": [{"id": "a"}, {"id": "a"}]}"#, "/tenants/1"),
        (#"{"tenants": {}}"#, "/tenants"),
        (product(#""id": "licenses""#), "/tenants/0/products/0/id"),
        (product(#""id": "n", "keyPrefix": "lower""#), "/tenants/0/products/0/keyPrefix"),
        (product(#""id": "n", "trialDays": -1"#), "/tenants/0/products/0/trialDays"),
        (product(#""id": "n", "freeTier": "yes""#), "/tenants/0/products/0/freeTier"),
        (policy(#""id": "p", "entitlements": ["a,b"]"#), "/tenants/0/products/0/policies/0/entitlements/0"),
        (policy(#""id": "p", "entitlements": ["a|b"]"#), "/tenants/0/products/0/policies/0/entitlements/0"),
        (policy(#""id": "p", "activationLimit": 0"#), "/tenants/0/products/0/policies/0/activationLimit"),
        (policy(#""id": "p", "leaseDays": 0.5"#), "/tenants/0/products/0/policies/0/leaseDays"),
        (license(#""key": "K""#), "/tenants/0/products/0/licenses/0"),
        (license(#""key": "K", "policy": "q""#), "/tenants/0/products/0/licenses/0/policy"),
        (license(#""key": "K", "policy": "p", "state": "expired""#), "/tenants/0/products/0/licenses/0/state"),
        (license(#""key": "K", "policy": "p", "expiresAt": "soon""#), "/tenants/0/products/0/licenses/0/expiresAt"),
        (license(#""key": "  ", "policy": "p""#), "/tenants/0/products/0/licenses/0/key"),
        (license(#""key": "k 1", "policy": "p"}, {"key": "K1", "policy": "p""#), "/tenants/0/products/0/licenses/1"),
        (#"{"a~b/c": 1}"#, "/a~0b~1c"),
    ])
    func `an error in a catalog file is reported with the JSON pointer of its location`(text: String, pointer: String) {
        let error = #expect(throws: CatalogFileError.self) {
            try FeatureSet.tenure.catalogFile(parsing: Array(text.utf8))
        }
        #expect(error?.problems.map(\.pointer) == [pointer])
    }

    @Test(arguments: ["licenses", "accounts", "app-licenses", "events", "orders", "intake"])
    func `a product id can't be a path segment that the server uses below a tenant`(name: String) throws {
        let error = #expect(throws: CatalogFileError.self) {
            try FeatureSet.tenure.catalogFile(parsing: Array(Self.product(#""id": "\#(name)""#).utf8))
        }
        #expect(error?.problems.map(\.pointer) == ["/tenants/0/products/0/id"])
    }

    @Test(arguments: ["v1", "v9", "console", "mail", "portal", "content"])
    func `a tenant id can't be a path segment that is reserved for the server`(name: String) throws {
        let error = #expect(throws: CatalogFileError.self) {
            try FeatureSet.tenure.catalogFile(parsing: Array(#"{"tenants": [{"id": "\#(name)"}]}"#.utf8))
        }
        #expect(error?.problems.map(\.pointer) == ["/tenants/0/id"])
    }

    /// The checked-in schema of the catalog file. `TENURE_WRITE_COPIES=1` writes it again.
    @Test func `the documented schema of catalog files equals the generated one`() throws {
        let copy = URL.packageRoot.appending(path: "Documentation/catalog.schema.json")
        if ProcessInfo.processInfo.environment["TENURE_WRITE_COPIES"] != nil {
            try Data(FeatureSet.tenure.catalogFileSchema.lines).write(to: copy)
        }
        #expect(Array(try Data(contentsOf: copy)) == FeatureSet.tenure.catalogFileSchema.lines)
    }

    @Test func `all errors in a catalog file are reported together`() {
        let text = #"{"tenants": [{"id": "A", "x": 1}, {"id": "b", "y": 2}]}"#
        let error = #expect(throws: CatalogFileError.self) {
            try FeatureSet.tenure.catalogFile(parsing: Array(text.utf8))
        }
        #expect(error?.problems.map(\.pointer) == ["/tenants/0/x", "/tenants/0/id", "/tenants/1/y"])
    }

    @Test(arguments: ["", "{", "[]", "nonsense", #"{"tenants": [], "tenants": []}"#])
    func `a catalog file that isn't a JSON object with unique members is refused as a whole`(text: String) {
        let error = #expect(throws: CatalogFileError.self) {
            try FeatureSet.tenure.catalogFile(parsing: Array(text.utf8))
        }
        #expect(error?.problems.map(\.pointer) == [""])
    }

    @Test func `an omitted member of a product gets its default`() throws {
        let file = try FeatureSet.tenure.catalogFile(parsing: Array(Self.policy(#""id": "p""#).utf8))
        let product = try #require(file.tenants[0].products.values.first)
        #expect(product.name == "n")
        #expect(product.trialDays == 0)
        #expect(!product.freeTier)
        #expect(product.policies[PolicyID("p")!] == Policy(id: PolicyID("p")!, name: "p", deviceChanges: 3))
    }

    @Test(arguments: [("null", nil), ("7", 7)] as [(String, Int?)])
    func `an activation limit is a number, or null for no limit`(
        text: String, limit: Int?
    ) throws {
        let file = try FeatureSet.tenure.catalogFile(
            parsing: Array(Self.policy(#""id": "p", "activationLimit": \#(text)"#).utf8))
        #expect(file.tenants[0].products.values.first?.policies.values.first?.activationLimit == limit)
    }

    @Test func `a content policy can't limit plays, days or devices to 0, but may allow 0 device changes and renewals`()
        throws
    {
        let limits = [
            "expiresAfterDays", "windowAfterFirstPlayHours", "grantedPlays", "grantedPlaySeconds", "checkInDays",
            "deviceLimit",
        ]
        let zeros = (limits + ["countAfterSeconds", "deviceChanges", "maxRenewals"]).map { #""\#($0)": 0"# }
        let text = Self.contentPolicy(zeros.joined(separator: ", "))
        let error = #expect(throws: CatalogFileError.self) {
            try FeatureSet.tenure.catalogFile(parsing: Array(text.utf8))
        }
        #expect(error?.problems.map(\.pointer) == limits.map { "/tenants/0/content/policies/0/\($0)" })
    }

    @Test(
        arguments: [
            ("", 3), (#""deviceLimit": 1"#, 3), (#""deviceLimit": 8"#, 8), (#""deviceLimit": null"#, nil),
            (#""deviceChanges": null"#, nil), (#""deviceChanges": 0"#, 0),
        ] as [(String, Int?)])
    func `by default, a content policy allows as many device changes as devices, but at least 3`(
        members: String, changes: Int?
    ) throws {
        let file = try FeatureSet.tenure.catalogFile(parsing: Array(Self.contentPolicy(members).utf8))
        let policy = try #require(file.tenants[0].contents?.policies.values.first)
        #expect(policy.deviceChanges == changes)
    }

    private static func contentPolicy(_ members: String) -> String {
        let members = members.isEmpty ? "" : ", " + members
        return #"{"tenants": [{"id": "a", "content": {"policies": [{"id": "p"\#(members)}]}}]}"#
    }

    private static func product(_ members: String) -> String {
        #"{"tenants": [{"id": "a", "products": [{\#(members)}]}]}"#
    }

    private static func policy(_ members: String) -> String { product(#""id": "n", "policies": [{\#(members)}]"#) }

    private static func license(_ members: String) -> String {
        product(#""id": "n", "policies": [{"id": "p"}], "licenses": [{\#(members)}]"#)
    }
}
