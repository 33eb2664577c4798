import TenureClient
import TenureContent
import TenureCore
import TenureCrypto
import TenureFormats

@testable import TenureContentClient

/// A parsed response about items has numbers within their ranges and printable texts, whatever members it lacks.
let contentAnswers = FuzzTarget("ContentAnswer", longest: 640) { bytes in
    guard let object = try? FlatObject(scanning: bytes) else { return }
    let answer = ContentItemAnswer(reading: object)
    answer.reasons.forEach(check)
    if let used = answer.used { expect(used.plays >= 0 && used.playSeconds >= 0, "less than nothing was used") }
    expect(answer.grant == nil && answer.refusal == nil, "a statement was taken without its signature")
    let settling = ContentSettling(object)
    for sequence in settling.settled.values {
        expect((0...SessionReport.highestSequence).contains(sequence), "a report that nobody sent is settled")
    }
    expect(settling.refused.keys.allSatisfy { $0 >= 0 }, "an item before the first is refused")
    if let refusal = ContentServerRefusal(403, object) {
        expect(!refusal.reasons.isEmpty, "a refusal without a reason")
        refusal.reasons.forEach(check)
    }
}

private func check(_ reason: ToldReason) {
    expect(ToldReason.isCode(reason.code), "a code that isn't one")
    for text in [reason.message, reason.cure ?? "-"] + Array((reason.evidence ?? [:]).values) {
        let isPrintable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        expect(
            isPrintable && !text.isEmpty && text.utf8.count <= ToldReason.textLimit + 6, "a text that can't be shown")
    }
}

/// Served keys are adopted only by a client that trusts them, and never replace a pinned key.
let servedKeys = FuzzTarget("ServedKeys", longest: 384) { bytes in
    guard let object = try? FlatObject(scanning: bytes),
        let pinned = try? Ed25519.PublicKey(bytes: [UInt8](repeating: 2, count: 32))
    else { return }
    let strict = ContentKeys(pinned: ["k1": pinned], trust: .pinned)
    strict.learn(object)
    expect(strict.trusted.kids == ["k1"], "a key is trusted that nobody vouched for")
    let keys = ContentKeys(pinned: ["k1": pinned], trust: .served)
    keys.learn(object)
    expect(keys.trusted["k1"] == pinned, "a pinned key was replaced")
    let again = ContentKeys(pinned: ["k1": pinned], trust: .served)
    again.restore(keys.servedKeys)
    expect(again.trusted == keys.trusted, "other keys are trusted the second time")
}

/// A callback with random items is rejected as a whole, or gets a response with each item as valid JSON.
let kollusCallbacks = FuzzTarget("KollusCallback", longest: 640, cost: 4) { bytes in
    guard let callback = try? KollusCallback(items: bytes) else { return }
    expect(KollusCallback.counts.contains(callback.entries.count), "too many items")
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
    else { fail("the answer does not read") }
    expect(object.objects("data").value?.count == replies.count, "an item without an answer")
}
