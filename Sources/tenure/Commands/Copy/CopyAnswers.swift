import TenureCommandLine
import TenureCrypto
import TenureFormats
import TenureServer
import TenureStore

extension Console {
    /// Answers how many rows each part has, and by which digest they are known.
    func answer(copied parts: [PartDigest], asJSON: Bool) {
        guard asJSON else {
            var table = Table([.text("part"), .number("rows"), .text("sha-256")])
            for part in parts { table.add([part.part.rawValue, part.rows.grouped, part.prefix]) }
            table.add(["all", parts.reduce(0) { $0 + $1.rows }.grouped])
            return answer(table)
        }
        for part in parts {
            answer { body in
                body.member("part", part.part.rawValue)
                body.member("rows", part.rows)
                body.member("sha256", Hex.encode(part.digest))
            }
        }
    }
}

extension CopyStore.Outcome {
    /// What both stores hold now; fails with what to do about it when they do not hold the same.
    func parts(from: String, to: String, on console: Console) throws(CommandError) -> [PartDigest] {
        switch self {
        case .copied(let parts), .alreadyThere(let parts):
            return parts
        case .differs(let wanted, let kept):
            for (wanted, kept) in zip(wanted, kept) where wanted != kept {
                console.fail(
                    "\(wanted.part.rawValue): \(wanted.rows.grouped) rows (\(wanted.prefix)) were copied, "
                        + "\(kept.rows.grouped) (\(kept.prefix)) are there")
            }
            throw CommandError(
                "\(to) differs from \(from) after the copy, and no server will start on it. Make sure that nobody else "
                    + "writes to either, empty the target, and run this again.")
        case .sourceIsUnfinished:
            throw CommandError(
                "\(from) is itself a copy that was interrupted. Finish that one first, or name its source.")
        case .targetIsTaken:
            throw CommandError("\(to) holds something else already, and was not touched. Name an empty store.")
        case .targetIsAnotherCopy:
            throw CommandError(
                "\(to) is an interrupted copy of another store, and was not touched. Finish that one, or name an empty store."
            )
        }
    }
}

extension PartDigest {
    /// The first digits, enough for a person to compare.
    fileprivate var prefix: String { String(Hex.encode(digest).prefix(12)) }
}
