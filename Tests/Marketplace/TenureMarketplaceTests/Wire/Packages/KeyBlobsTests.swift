import TenureCore
import TenureFormats
import TenureMarketplace
import Testing

@Suite struct KeyBlobsTests {
    @Test func `each asset's key blob is decoded from Base64`() throws {
        let blobs = try KeyBlobs(parsing: Array(#"{"v-1": "AAEC", "d-1": "/w=="}"#.utf8))
        #expect(blobs.byAsset == [AssetID("v-1")!: [0, 1, 2], AssetID("d-1")!: [255]])
    }

    @Test(arguments: [
        (#"{"v 1": "AAEC"}"#, FormatError.Code.badMember), (#"{"v-1": ""}"#, .badMember),
        (#"{"v-1": "A"}"#, .badMember), (#"{"v-1": 1}"#, .badMember), (#"{"v-1": null}"#, .badMember),
        (#"["AAEC"]"#, .malformed), (#"{"v-1": "AAEC", "v-1": "AAEC"}"#, .malformed),
    ]) func `malformed key blobs are refused`(text: String, code: FormatError.Code) {
        let error = #expect(throws: FormatError.self) { try KeyBlobs(parsing: Array(text.utf8)) }
        #expect(error?.code == code)
    }

    @Test(arguments: [(KeyBlobs.blobLimit, true), (KeyBlobs.blobLimit + 1, false)])
    func `a key blob over the size limit is refused`(count: Int, isRead: Bool) {
        let text = #"{"v-1": "\#(Base64.encode([UInt8](repeating: 1, count: count)))"}"#
        #expect(((try? KeyBlobs(parsing: Array(text.utf8))) != nil) == isRead)
    }
}
