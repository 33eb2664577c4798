import TenureContent
import TenureCore
import TenureFormats

/// Random items of a callback are rejected as a whole, or answered one by one in valid JSON.
@_cdecl("LLVMFuzzerTestOneInput")
public func answerKollus(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let callback = try? KollusCallback(items: Array(UnsafeBufferPointer(start: start, count: count))) else {
        return 0
    }
    precondition(KollusCallback.counts.contains(callback.entries.count))
    let replies: [KollusToken.Reply] = callback.entries.map { entry in
        switch entry {
        case .item(let item): .answer(KollusItem.Answer(item, result: true))
        case .unread(let unread): .unread(unread)
        }
    }
    let token = KollusToken.answer(replies, key: "k")
    let parts = token.split(separator: UInt8(ascii: "."))
    guard parts.count == 3, let payload = Base64.decodeURL(String(decoding: parts[1], as: UTF8.self)),
        let object = try? FlatObject(scanning: payload)
    else { preconditionFailure("the answer does not read") }
    precondition(object.objects("data").value?.count == replies.count)
    return 0
}
