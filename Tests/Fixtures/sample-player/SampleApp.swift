// swift-format-ignore-file
// The part between the two lines is exactly the sample code of the player's guide. ContentStorageTests also compiles it
// with other kinds of classes.
import Foundation
import TenureContentClient

typealias KollusStorage = ContentStorage
typealias KollusContent = StoredContent
typealias KollusStorageDelegate = ContentStorageDelegate

@MainActor
final class SampleApp: KollusStorageDelegate {
let storage: KollusStorage
init(_ storage: KollusStorage) { self.storage = storage; storage.delegate = self }
func downloaded() -> [KollusContent] { storage.contents as! [KollusContent] }
func listed() -> [KollusContent] { storage.contents().filter { !isExpired($0) } }

// ----------------------------------------------------------------------------------------------------
func isExpired(_ c: KollusContent) -> Bool {
return c.DRMExpired
|| (c.drmTotalExpirePlayTime > 0 && c.DRMExpirePlayTime <= 0)
|| (c.drmExpireCountMax > 0 && c.drmExpireCount <= 0)
}
func renewDRMContents(isAll: Bool) {
storage.updateDownloadDRMInfo(isAll)
}
func kollusStorage(_ storage: KollusStorage,
request: [AnyHashable: Any],
json: [AnyHashable: Any]?,
error: Error?) {
if let error = error {
// Renewal failed or forced expiration
}
}
func kollusStorage(_ storage: KollusStorage,
cur: Int32, count: Int32,
error: Error?) {
// Error occurred during bulk renewal; the affected item failed
}
// ----------------------------------------------------------------------------------------------------
}
