import Foundation
import TenureCore
import TenureServerKit
import Testing

@testable import TenurePackages

@Suite struct PackageStoreTests {
    let root: URL
    let ref: PackageRef

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "tenure-\(UUID().uuidString)")
        ref = PackageRef(
            tenant: try #require(TenantID("acme")), item: try #require(AppleItemID(number: 1)),
            version: try #require(AppleVersionID(number: 2)))
        try FileManager.default.createDirectory(
            at: root.appending(path: "shelf/acme/1/2/variant"), withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: root.appending(path: "secret"))
        try Data("manifest".utf8).write(to: root.appending(path: "shelf/acme/1/2/manifest.json"))
    }

    func file(_ parts: String...) throws -> [UInt8]? {
        defer { try? FileManager.default.removeItem(at: root) }
        return try PackageStore(root.appending(path: "shelf").path).file(parts, of: ref).map {
            $0.read()
        }
    }

    func link(_ location: String, to target: String) throws {
        let location = root.appending(path: location)
        try? FileManager.default.removeItem(at: location)
        try FileManager.default.createSymbolicLink(atPath: location.path, withDestinationPath: target)
    }

    @Test func `a package's file is found by its path`() throws {
        #expect(try file("manifest.json") == Array("manifest".utf8))
    }

    @Test func `the package store returns nothing for a missing file of a package`() throws {
        #expect(try file("variant", "x.ipa") == nil)
    }

    @Test func `a link in place of a package's file isn't followed`() throws {
        try link("shelf/acme/1/2/manifest.json", to: "../../../../secret")
        #expect(try file("manifest.json") == nil)
    }

    @Test(arguments: ["shelf/acme", "shelf/acme/1", "shelf/acme/1/2", "shelf/acme/1/2/variant"])
    func `a link in place of a package's folder isn't followed`(location: String) throws {
        try Data("secret".utf8).write(to: root.appending(path: "x.ipa"))
        try link(location, to: root.path)
        #expect(try file("variant", "x.ipa") == nil)
    }

    @Test func `a pipe in place of a package's file isn't found, and opening it doesn't block`() throws {
        #expect(mkfifo(root.appending(path: "shelf/acme/1/2/signature").path, 0o600) == 0)
        #expect(try file("signature") == nil)
    }

    @Test func `no package file is found while the folder of all packages is missing`() throws {
        try FileManager.default.removeItem(at: root.appending(path: "shelf"))
        #expect(try file("manifest.json") == nil)
    }
}
