import Foundation
import Glibc
import TenureCore
import TenureVault
import Testing

@testable import TenureClient

/// The records of devices that share a home folder.
@Suite struct DeviceFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ device: String = "a", _ product: ProductRef = .sample) -> DeviceFile {
        DeviceFile(folder: folder.path, seal: RecordSeal(device: Array(device.utf8), product: product))
    }

    private func records() throws -> [String] { try folder.names.filter { !$0.hasSuffix(".lock") } }

    @Test func `two devices that share a folder keep separate records`() throws {
        try file("a").replace([1])
        try file("b").replace([2])
        #expect(try file("a").load() == [1])
        #expect(try file("a").update { ($0 ?? []) + [3] } == [1, 3])
        #expect(try file("b").load() == [2])
        #expect(try records().count == 2)
        #expect(try folder.names.filter { $0.hasSuffix(".lock") }.count == 1)
    }

    @Test
    func `in a folder with only other devices' records, a load or update fails and changes nothing`()
        throws
    {
        try file("a").replace([1])
        let error = try #require(#expect(throws: VaultError.self) { try file("b").load() })
        #expect(error.code == .foreign)
        #expect(error.message.contains("another device"))
        #expect(error.message.contains("activate the license key here"))
        #expect(throws: error) { try file("b").update { _ in [9] } }
        #expect(try records().count == 1)
        #expect(try file("a").load() == [1])
    }

    @Test func `a rewrite creates a device's record next to other devices' records, and the next rewrite receives it`()
        throws
    {
        try file("a").replace([1])
        var received: [Result<[UInt8]?, VaultError>] = []
        for _ in 0..<2 {
            try file("b").rewrite { stored in
                received.append(stored)
                return ((try? stored.get()) ?? []) + [2]
            }
        }
        #expect(received == [.failure(.otherDevice(file: "in \(folder.path)")), .success([2])])
        #expect(try file("b").load() == [2, 2])
        #expect(try file("a").load() == [1])
    }

    @Test func `another product's record in the same folder is neither reported as foreign nor overwritten`() throws {
        try file("a").replace([1])
        for (number, product) in [ProductRef.other, .otherTenant].enumerated() {
            #expect(try file("a", product).load() == nil)
            #expect(try file("b", product).load() == nil)
            #expect(try file("a", product).update { _ in [UInt8(number + 2)] } == [UInt8(number + 2)])
        }
        #expect(try file("a").load() == [1])
        #expect(try file("a", .other).load() == [2])
        #expect(try file("a", .otherTenant).load() == [3])
    }

    @Test func `a record file that is renamed for another device is refused as foreign`() throws {
        try file("a").replace([1])
        let name = try #require(try records().first)
        let other = RecordSeal(device: Array("b".utf8), product: .sample).fileName
        #expect(rename(folder.file(name), folder.file(other)) == 0)
        #expect(#expect(throws: VaultError.self) { try file("b").load() }?.code == .foreign)
    }

    @Test(arguments: [false, true])
    func `a seventeenth device's record replaces the least recently used record in the folder`(byRewrite: Bool) throws {
        for number in 1...16 {
            try file("\(number)").replace([UInt8(number)])
            let name = RecordSeal(device: Array("\(number)".utf8), product: .sample).fileName
            // Device 3 was used longest ago, then device 1.
            let age = number == 3 ? 100 : number == 1 ? 50 : 20 - number
            var times = [
                timespec(tv_sec: 1_700_000_000 - age, tv_nsec: 0), timespec(tv_sec: 1_700_000_000 - age, tv_nsec: 0),
            ]
            #expect(utimensat(AT_FDCWD, folder.file(name), &times, 0) == 0)
        }
        try file("a", .other).replace([99])
        // Rewriting an existing record removes no other record.
        try file("2").replace([2])
        #expect(try records().count == 17)
        try file("17").replace([17])
        #expect(try file("17").load() == [17])
        #expect(#expect(throws: VaultError.self) { try file("3").load() }?.code == .foreign)
        if byRewrite {
            try file("3").rewrite { _ in [3] }
        } else {
            let other = file("18")
            #expect(throws: VaultError.self) { try other.update { _ in [18] } }
            try other.replace([18])
        }
        #expect(#expect(throws: VaultError.self) { try file("1").load() }?.code == .foreign)
        for number in [2] + Array(4...17) { #expect(try file("\(number)").load() == [UInt8(number)]) }
        #expect(try file("a", .other).load() == [99])
        #expect(try records().count == 17)
    }

    @Test func `a record's file name consists of hashes and is the same each time for a device and product`() throws {
        let seal = RecordSeal(device: Array("a-device-of-mia".utf8), product: .sample)
        #expect(seal.fileName.wholeMatch(of: /license-[0-9a-f]{16}-[0-9a-f]{32}/) != nil)
        #expect(seal.fileName == RecordSeal(device: Array("a-device-of-mia".utf8), product: .sample).fileName)
    }
}
