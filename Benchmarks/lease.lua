-- Renews leases at random, in the Tenure dialect. Each line of the keys file is "KEY INSTANCE DEVICE", all lines of one
-- length.
local record, width, count
local body = '{"nonce":"%s","device":"%s","licenseKey":"%s","activation":"%s"}'
local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

local function nonce()
    local letters = {}
    for place = 1, 21 do
        local digit = math.random(1, 64)
        letters[place] = digits:sub(digit, digit)
    end
    -- 22 digits are 132 bits. A nonce has 128, so the last digit's four lowest bits are zero.
    return table.concat(letters) .. "A"
end

function init(arguments)
    local file = assert(io.open(arguments[1], "rb"))
    record = file:read("*a")
    file:close()
    width = record:find("\n", 1, true)
    count = #record / width
    math.randomseed(tonumber(arguments[2]))
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
end

function request()
    local start = math.random(0, count - 1) * width + 1
    local space = record:find(" ", start, true)
    return wrk.format(nil, nil, nil, body:format(
        nonce(), record:sub(space + 38, start + width - 2), record:sub(start, space - 1),
        record:sub(space + 1, space + 36)))
end
